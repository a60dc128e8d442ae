import fragment, { type Sql as Fragment, raw } from 'sql-template-tag';
import type { Queryable } from './database.ts';

// Fragments nest and are joined as text when they are created, so those that never change cost a statement nothing. The
// driver's own create a promise for each, on every use (docs/decisions/0023).
export { type Fragment, fragment };

/** Returns SQL text of our own as a fragment. It is not escaped: never for anything that a request brought. */
export const trusted = (sql: string): Fragment => raw(sql);

/**
 * Returns a text as a constant of a statement. Partial indexes are found only by conditions without parameters; whatever
 * else varies is a parameter.
 */
export const literal = (text: string): Fragment => trusted(`'${text.replaceAll("'", "''")}'`);

/**
 * Runs a statement that is composed of fragments and returns its rows. It is prepared where the pool prepares statements.
 * Throws the driver's errors.
 */
export const runStatement = <Row extends object>(
  sql: Queryable,
  { text, values }: Fragment,
): Promise<readonly Row[]> =>
  sql.unsafe<Row[]>(text, values as never[], { prepare: true, simple: false } as object);
