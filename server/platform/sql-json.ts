import type { Photo } from '#contract/photos.ts';

/** An SQL expression for the JSON text of a value. PostgreSQL concatenates it faster than it builds objects. */
export type JsonExpression = string;

/** Returns JSON for a text of any characters, or null. */
export const jsonText = (column: string): JsonExpression => `coalesce(to_json(${column})::text, 'null')`;

/** Returns JSON for a text that never needs escaping (an id, a date, one word of a fixed set), or null. */
export const jsonWord = (column: string): JsonExpression => `coalesce('"' || ${column} || '"', 'null')`;

/** Returns JSON for a number, a boolean or JSON, or null. */
export const jsonValue = (column: string): JsonExpression => `coalesce((${column})::text, 'null')`;

/** Returns JSON for an instant as all calls write it: ISO 8601 in UTC, to the millisecond; or null. */
export const jsonInstant = (column: string): JsonExpression =>
  jsonWord(`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);

/** Returns JSON for an object; for null where a condition is given and does not hold. At most 49 fields. */
export const jsonObject = (fields: Record<string, JsonExpression>, condition?: string): JsonExpression => {
  const members = Object.entries(fields).map(
    ([name, value], index) => `'${index === 0 ? '{' : ','}"${name}":', ${value}`,
  );
  const written = `concat(${members.join(', ')}, '}')`;
  return condition ? `CASE WHEN ${condition} THEN ${written} ELSE 'null' END` : written;
};

/** Returns JSON for a stored photo (Photo of contract/photos.ts) from a row of private.objects; null as in `jsonObject`. */
export const jsonPhoto = (table: string, condition?: string): JsonExpression =>
  jsonObject(
    {
      url: jsonText(`${table}.url`),
      width: jsonValue(`${table}.width`),
      height: jsonValue(`${table}.height`),
      thumbhash: jsonText(`${table}.thumbhash`),
    } satisfies Record<keyof Photo, JsonExpression>,
    condition,
  );
