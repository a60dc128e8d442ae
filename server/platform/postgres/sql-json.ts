import { type JsonText, jsonArray } from '#server/platform/json/json-text.ts';
import { type Fragment, trustedSql } from './sql-fragments.ts';

/**
 * A JSON value as a list of pieces: strings for constant JSON text and SQL expressions for the variable parts. A single
 * `concat` of all pieces costs PostgreSQL less than its functions that build JSON objects.
 */
type JsonPieces = readonly (string | { sql: string })[];

const pieces = (...all: JsonPieces): JsonPieces => all;

const concat = (all: JsonPieces): string => {
  const merged: (string | { sql: string })[] = [];
  for (const piece of all) {
    const previous = merged.at(-1);
    if (typeof piece === 'string' && typeof previous === 'string')
      merged[merged.length - 1] = previous + piece;
    else merged.push(piece);
  }
  const args = merged.map((piece) => (typeof piece === 'string' ? `'${piece}'` : piece.sql));
  return `concat(${args.join(', ')})`;
};

const toNullablePieces = (sql: string): JsonPieces => pieces({ sql: `coalesce(${sql}, 'null')` });

/** Builders for the JSON of columns that are never null. */
export const json = {
  /** Any string; it is escaped. */
  text: (column: string) => pieces({ sql: `to_json(${column})` }),
  /** A string that never needs escaping: an id, a date, or a word from a fixed set. */
  word: (column: string) => pieces('"', { sql: column }, '"'),
  number: (column: string) => pieces({ sql: column }),
  boolean: (column: string) => pieces({ sql: `(${column})::text` }),
  /** A timestamp as ISO 8601 in UTC with milliseconds, the format of all calls. */
  instant: (column: string) =>
    pieces('"', { sql: `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` }, '"'),
};

/** Builders for the JSON of columns that may be null. */
export const nullable = {
  text: (column: string) => toNullablePieces(`to_json(${column})::text`),
  word: (column: string) => toNullablePieces(`'"' || ${column} || '"'`),
  number: (column: string) => toNullablePieces(`(${column})::text`),
};

/** Returns the pieces for an SQL expression that already returns JSON text. */
export const written = (sql: string): JsonPieces => pieces({ sql });

/** Returns the pieces of a JSON object. PostgreSQL allows at most 100 arguments of `concat`, hence 100 pieces. */
export const object = (fields: Record<string, JsonPieces>): JsonPieces => [
  ...Object.entries(fields).flatMap(([name, value], index) => [
    `${index === 0 ? '{' : ','}"${name}":`,
    ...value,
  ]),
  '}',
];

/** Returns the pieces of a JSON object if an SQL condition is true, and of null otherwise. */
export const objectIf = (condition: string, fields: Record<string, JsonPieces>): JsonPieces =>
  pieces({ sql: `CASE WHEN ${condition} THEN ${concat(object(fields))} ELSE 'null' END` });

/** Returns the pieces of a JSON array with one object for each row of a subquery. */
export const arrayOf = (fields: Record<string, JsonPieces>, from: string, orderBy: string): JsonPieces =>
  pieces({
    sql: `(SELECT concat('[', string_agg(${concat(object(fields))}, ',' ORDER BY ${orderBy}), ']') FROM ${from})`,
  });

/** Returns an SQL expression that evaluates to the JSON text of a value. */
export const jsonSql = (value: JsonPieces): Fragment => trustedSql(concat(value));

/**
 * Separates array elements joined in SQL. JSON escapes line breaks, so the last one marks the start of the last
 * element.
 */
const separator = ',\n';
export const separatorSql = trustedSql("E',\\n'");

/**
 * Returns the JSON text of an array from elements that `string_agg` joined with `separatorSql`; null means no elements.
 * Drops the last element if `hasExtraElement`, as when a page was read with one more row to learn whether more follow.
 */
export const joinedElementsToArray = <Item>(
  elements: string | null,
  hasExtraElement: boolean,
): JsonText<Item[]> => {
  if (elements === null) return jsonArray<Item>([]);
  const end = hasExtraElement ? Math.max(0, elements.lastIndexOf(separator)) : elements.length;
  return `[${elements.slice(0, end)}]` as JsonText<Item[]>;
};
