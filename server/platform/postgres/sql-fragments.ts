import postgres from 'postgres';
import type { Fragment } from './database.ts';

// Never connects: it only makes fragments.
const unconnected = postgres({ max: 1, fetch_types: false });

/**
 * Returns a piece of SQL for the statements of any pool. The driver makes a promise for each piece, which is what most
 * of a short statement costs, so pieces that are always the same are constants.
 */
export const fragment = (
  strings: TemplateStringsArray,
  ...values: postgres.ParameterOrFragment<never>[]
): Fragment => unconnected(strings, ...values) as unknown as Fragment;

/** Returns SQL text of our own as one piece. It is not escaped: never for anything that a request brought. */
export const trusted = (sql: string): Fragment => unconnected.unsafe(sql) as unknown as Fragment;

/**
 * Returns a text as a constant of a statement. Partial indexes are found only by conditions without parameters; whatever
 * else varies is a parameter.
 */
export const literal = (text: string): Fragment => trusted(`'${text.replaceAll("'", "''")}'`);
