import sqlTag, { empty, join, raw, type Sql as SqlTemplate } from 'sql-template-tag';

/** A part of a statement with its parameters. */
export type Fragment = SqlTemplate;

type Scalar = string | number | bigint | boolean | Date | Uint8Array | null;
/** A value that is inserted into a statement: a parameter, or a fragment, such as a column name. */
export type SqlValue = Scalar | readonly Scalar[] | Fragment;

/** Creates a fragment. Fragments and parameters are inserted into statements and into other fragments. */
export const fragment: (parts: TemplateStringsArray, ...values: readonly SqlValue[]) => Fragment = sqlTag;

/** Joins fragments or parameters, such as conditions by ` AND `. */
export const joinFragments = (values: readonly SqlValue[], separator: string): Fragment =>
  values.length === 0 ? empty : join(values, separator);

/** Returns a JSON value as a parameter. (The driver would send an array as an array of PostgreSQL.) */
export const json = (value: unknown): string => JSON.stringify(value);

/** Returns constant SQL text as a fragment. The text is not escaped, so it must never contain request data. */
export const trustedSql = (sql: string): Fragment => raw(sql);

/** Returns a name as a quoted identifier. A dot separates a schema or table from what belongs to it. */
export const identifier = (name: string): Fragment =>
  raw(
    name
      .split('.')
      .map((part) => `"${part.replaceAll('"', '""')}"`)
      .join('.'),
  );

/** Returns names as a list of quoted identifiers. */
export const columnList = (names: readonly string[]): Fragment => joinFragments(names.map(identifier), ', ');

/** Returns a value that is stored in a column, which determines its type. */
const toStored = (value: SqlValue): SqlValue => {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'boolean' ? String(value) : value;
};

type Row = Readonly<Record<string, SqlValue>>;

/** Returns the columns and values of an INSERT, `(a, b) VALUES ($1, $2)`; by default of all keys of the first row. */
export const toInsertedRows = <T extends object>(
  rows: T | readonly T[],
  names: readonly (keyof T & string)[] = Object.keys([rows].flat()[0] ?? {}) as (keyof T & string)[],
): Fragment => {
  const tuples = ([rows].flat() as readonly Row[]).map(
    (row) =>
      fragment`(${joinFragments(
        names.map((name) => toStored(row[name] as SqlValue)),
        ', ',
      )})`,
  );
  return fragment`(${columnList(names)}) VALUES ${joinFragments(tuples, ', ')}`;
};

/** Returns the assignments of an UPDATE, `a = $1, b = $2`; by default of all keys of the object. */
export const toAssignments = <T extends object>(
  values: T,
  names: readonly (keyof T & string)[] = Object.keys(values) as (keyof T & string)[],
): Fragment =>
  joinFragments(
    names.map((name) => fragment`${identifier(name)} = ${toStored((values as Row)[name] as SqlValue)}`),
    ', ',
  );

/**
 * Returns a string as a quoted SQL literal. Use it only for constants, or in conditions whose value the planner must know,
 * for example to match a partial index; use parameters everywhere else.
 */
export const quoteLiteral = (text: string): Fragment => trustedSql(`'${text.replaceAll("'", "''")}'`);

/** Returns strings as a list of SQL literals in parentheses, for `IN`. The strings must be constants of the program. */
export const quoteLiterals = (texts: readonly string[]): Fragment =>
  trustedSql(`(${texts.map((text) => quoteLiteral(text).text).join(', ')})`);
