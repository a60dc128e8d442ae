import fragment, { type Sql as Fragment, raw } from 'sql-template-tag';
import type { Queryable } from './database.ts';

// Fragments are joined into text when they are created, so a constant fragment adds no work when a
// statement runs. The driver's own fragments would create a promise on every use
// (docs/decisions/0023).
export { type Fragment, fragment };

/** A value that is inserted into a fragment: a parameter, or another fragment, such as a column name. */
export type SqlValue = string | number | Fragment;

/** Returns constant SQL text as a fragment. The text is not escaped, so it must never contain request data. */
export const trustedSql = (sql: string): Fragment => raw(sql);

/**
 * Returns a string as a quoted SQL literal. Use it only for constants, or in conditions that must
 * match a partial index, because the planner cannot match parameters to one; use parameters everywhere else.
 */
export const quoteLiteral = (text: string): Fragment => trustedSql(`'${text.replaceAll("'", "''")}'`);

/** Returns strings as a list of SQL literals in parentheses, for `IN`. The strings must be constants of the program. */
export const quoteLiterals = (texts: readonly string[]): Fragment =>
  trustedSql(`(${texts.map((text) => quoteLiteral(text).text).join(', ')})`);

/**
 * Runs a statement composed of fragments and returns its rows. It is prepared if the pool prepares statements.
 * Throws the driver's errors.
 */
export const runStatement = <Row extends object>(
  sql: Queryable,
  { text, values }: Fragment,
): Promise<readonly Row[]> =>
  sql.unsafe<Row[]>(text, values as never[], { prepare: true, simple: false } as object);
