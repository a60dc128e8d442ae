import { buildJsonArray, type JsonText } from '#server/platform/json/json-text.ts';
import { type Fragment, quoteLiteral, trustedSql } from './sql-fragments.ts';

/**
 * A JSON value as a list of pieces: strings for constant JSON text and SQL expressions for the variable parts. A single
 * `concat` of all pieces costs PostgreSQL less than its functions that build JSON objects.
 */
type JsonPieces = readonly (string | { sql: string })[];

/** Maximum number of arguments of PostgreSQL's functions. */
const maxFunctionArguments = 100;

/** Returns the call of `concat` with these pieces. Throws when there are more than PostgreSQL accepts. */
const buildConcatCall = (all: JsonPieces): string => {
  const merged: (string | { sql: string })[] = [];
  for (const piece of all) {
    const previous = merged.at(-1);
    if (typeof piece === 'string' && typeof previous === 'string')
      merged[merged.length - 1] = previous + piece;
    else merged.push(piece);
  }
  if (merged.length > maxFunctionArguments) throw new Error(`concat cannot join ${merged.length} pieces`);
  const args = merged.map((piece) => (typeof piece === 'string' ? `'${piece}'` : piece.sql));
  return `concat(${args.join(', ')})`;
};

const toNullablePieces = (sql: string): JsonPieces => [{ sql: `coalesce(${sql}, 'null')` }];

const toInstantSql = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Builders for the JSON of columns that are never null. */
export const columnJson = {
  /** Builds a JSON string from a text column; special characters are escaped. */
  text: (column: string): JsonPieces => [{ sql: `to_json(${column})` }],
  /**
   * Builds a JSON string from a column whose values never need escaping: an id, a date, or a word from a
   * fixed set.
   */
  word: (column: string): JsonPieces => ['"', { sql: column }, '"'],
  number: (column: string): JsonPieces => [{ sql: column }],
  boolean: (column: string): JsonPieces => [{ sql: `(${column})::text` }],
  /** Builds a timestamp as ISO 8601 in UTC with milliseconds, the format that the API uses. */
  instant: (column: string): JsonPieces => ['"', { sql: toInstantSql(column) }, '"'],
};

/** Builders for the JSON of columns that may be null. */
export const nullableColumnJson = {
  text: (column: string) => toNullablePieces(`to_json(${column})::text`),
  word: (column: string) => toNullablePieces(`'"' || ${column} || '"'`),
  number: (column: string) => toNullablePieces(`(${column})::text`),
  /** Builds JSON from a column of the type jsonb. */
  json: (column: string) => toNullablePieces(`(${column})::text`),
  /** Builds a timestamp in the format of `columnJson.instant`. */
  instant: (column: string) => toNullablePieces(`'"' || ${toInstantSql(column)} || '"'`),
};

/** Returns the pieces that insert an SQL expression unchanged, because its result already is JSON text. */
export const toRawJsonPieces = (sql: string): JsonPieces => [{ sql }];

/** Returns the pieces of text and SQL that `concat` joins to a JSON object. */
export const toObjectJsonPieces = (fields: Record<string, JsonPieces>): JsonPieces => [
  ...Object.entries(fields).flatMap(([name, value], index) => [
    `${index === 0 ? '{' : ','}"${name}":`,
    ...value,
  ]),
  '}',
];

/** Returns the pieces of a JSON object if an SQL condition is true, and of null otherwise. */
export const toConditionalObjectJsonPieces = (
  condition: string,
  fields: Record<string, JsonPieces>,
): JsonPieces => [
  { sql: `CASE WHEN ${condition} THEN ${buildConcatCall(toObjectJsonPieces(fields))} ELSE 'null' END` },
];

/** Returns the pieces of a JSON array with one object for each row of a subquery. */
export const toArrayJsonPieces = (
  fields: Record<string, JsonPieces>,
  from: string,
  orderBy: string,
): JsonPieces => [
  {
    sql: `(SELECT concat('[', string_agg(${buildConcatCall(toObjectJsonPieces(fields))}, ',' ORDER BY ${orderBy}), ']') FROM ${from})`,
  },
];

/** Returns an SQL expression that evaluates to the JSON text of a value. */
export const toJsonTextSql = (value: JsonPieces): Fragment => trustedSql(buildConcatCall(value));

/**
 * Separator between array elements that are joined in SQL. JSON strings contain no raw line breaks,
 * so the last separator marks the start of the last element.
 */
const elementSeparator = ',\n';
export const elementSeparatorSql = quoteLiteral(elementSeparator);

/**
 * Returns the JSON text of an array from elements that `string_agg` joined with `elementSeparatorSql`. Null
 * means that there are no elements. If `hasExtraElement` is true, drops the last element: queries read one
 * row more than they return, to learn whether more rows follow.
 */
export const wrapJoinedElementsInArray = <Item>(
  elements: string | null,
  hasExtraElement: boolean,
): JsonText<Item[]> => {
  if (elements === null) return buildJsonArray<Item>([]);
  const end = hasExtraElement ? Math.max(0, elements.lastIndexOf(elementSeparator)) : elements.length;
  return `[${elements.slice(0, end)}]` as JsonText<Item[]>;
};
