import { type JsonText, jsonArray } from '#server/platform/json/json-text.ts';
import { type Fragment, trusted } from './sql-fragments.ts';

/**
 * The JSON of a value in pieces: texts that are always the same, and SQL expressions for what differs. One `concat` of
 * all pieces costs PostgreSQL less than its functions that build JSON objects.
 */
type JsonPieces = readonly (string | { sql: string })[];

const pieces = (...all: JsonPieces): JsonPieces => all;

const concat = (all: JsonPieces): string => {
  const merged: (string | { sql: string })[] = [];
  for (const piece of all) {
    const before = merged.at(-1);
    if (typeof piece === 'string' && typeof before === 'string') merged[merged.length - 1] = before + piece;
    else merged.push(piece);
  }
  const args = merged.map((piece) => (typeof piece === 'string' ? `'${piece}'` : piece.sql));
  return `concat(${args.join(', ')})`;
};

const orNull = (sql: string): JsonPieces => pieces({ sql: `coalesce(${sql}, 'null')` });

/** JSON of columns that are never null. */
export const json = {
  /** A text of any characters. */
  text: (column: string) => pieces({ sql: `to_json(${column})` }),
  /** A text that never needs escaping: an id, a date, one word of a fixed set. */
  word: (column: string) => pieces('"', { sql: column }, '"'),
  number: (column: string) => pieces({ sql: column }),
  boolean: (column: string) => pieces({ sql: `(${column})::text` }),
  /** ISO 8601 in UTC, to the millisecond, as all calls write instants. */
  instant: (column: string) =>
    pieces('"', { sql: `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` }, '"'),
};

/** The same of columns that may be null. */
export const nullable = {
  text: (column: string) => orNull(`to_json(${column})::text`),
  word: (column: string) => orNull(`'"' || ${column} || '"'`),
  number: (column: string) => orNull(`(${column})::text`),
};

/** Returns the JSON of what an SQL expression has written as JSON already. */
export const written = (sql: string): JsonPieces => pieces({ sql });

/** Returns the JSON of an object. PostgreSQL takes at most 100 pieces. */
export const object = (fields: Record<string, JsonPieces>): JsonPieces => [
  ...Object.entries(fields).flatMap(([name, value], index) => [
    `${index === 0 ? '{' : ','}"${name}":`,
    ...value,
  ]),
  '}',
];

/** Returns the JSON of an object where a condition holds, and null elsewhere. */
export const objectIf = (condition: string, fields: Record<string, JsonPieces>): JsonPieces =>
  pieces({ sql: `CASE WHEN ${condition} THEN ${concat(object(fields))} ELSE 'null' END` });

/** Returns the JSON of an array with an object for each row of a subquery. */
export const arrayOf = (fields: Record<string, JsonPieces>, from: string, orderBy: string): JsonPieces =>
  pieces({
    sql: `(SELECT concat('[', string_agg(${concat(object(fields))}, ',' ORDER BY ${orderBy}), ']') FROM ${from})`,
  });

/** Returns SQL for the JSON text of a value. */
export const jsonSql = (value: JsonPieces): Fragment => trusted(concat(value));

/** Separates the elements that SQL joins. Within an element a line break is escaped, so it marks where the last one begins. */
const separator = ',\n';
export const separatorSql = trusted("E',\\n'");

/**
 * Returns the JSON text of an array from its elements, as `string_agg` joins them with `separatorSql`; without the last
 * element if it is one too many. Null stands for no elements.
 */
export const joinedArray = <Item>(elements: string | null, oneTooMany: boolean): JsonText<Item[]> => {
  if (elements === null) return jsonArray<Item>([]);
  const end = oneTooMany ? Math.max(0, elements.lastIndexOf(separator)) : elements.length;
  return `[${elements.slice(0, end)}]` as JsonText<Item[]>;
};
