/**
 * The plain way: a server as tutorials write it, with a transaction for each hold, on two tables
 * of its own without tenants, rules, trail or log. It is what others are compared with, so it is
 * small and as quick as that way can be. Only suites start it.
 */
import { fileURLToPath } from 'node:url';

export { CREATE_TABLES, fillSeats } from './naive.sql.ts';

export const NAIVE_PROGRAM = fileURLToPath(new URL('./naive-program.ts', import.meta.url));
