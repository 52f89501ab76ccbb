/**
 * Holds over HTTP: this server beside one as tutorials write it and beside one statement per hold
 * without any server, turn by turn in the same run. It knows servers as processes with an address;
 * what they are doing is in their own rooms. Only `run` calls it.
 */
export { holdsSuite, OPEN_POLICY } from './holds-suite.ts';
export { NODE_PROGRAM } from './servers.ts';
