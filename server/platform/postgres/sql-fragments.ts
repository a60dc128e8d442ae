import fragment, { type Sql as Fragment, raw } from 'sql-template-tag';
import type { Queryable } from './database.ts';

// Fragments are joined to text when they are created, so constant fragments cost a statement nothing. The driver's own
// fragments would create a promise on every use (docs/decisions/0023).
export { type Fragment, fragment };

/** Returns constant SQL text as a fragment. The text is not escaped, so it must never contain request data. */
export const trustedSql = (sql: string): Fragment => raw(sql);

/**
 * Returns a string as a quoted SQL literal. The planner matches partial indexes only to conditions without parameters;
 * use parameters for everything else.
 */
export const literal = (text: string): Fragment => trustedSql(`'${text.replaceAll("'", "''")}'`);

/**
 * Runs a statement composed of fragments and returns its rows. It is prepared if the pool prepares statements.
 * Throws the driver's errors.
 */
export const runStatement = <Row extends object>(
  sql: Queryable,
  { text, values }: Fragment,
): Promise<readonly Row[]> =>
  sql.unsafe<Row[]>(text, values as never[], { prepare: true, simple: false } as object);
