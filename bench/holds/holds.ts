/**
 * Holds over HTTP: this server, with Redis and without, beside servers as tutorials write them and
 * beside one statement for each hold, turn by turn in the same run; and how soon a hold is answered
 * at half of the most. It knows servers as processes with an address; what they are doing is in
 * their own rooms. Only `run` calls it.
 */
export { OPEN_POLICY } from '#halls';
export { holdsSuite } from './holds-suite.ts';
