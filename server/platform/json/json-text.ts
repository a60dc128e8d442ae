declare const valueType: unique symbol;

/**
 * A string that contains the JSON of a value. JSON that PostgreSQL built is sent unchanged, without being parsed first.
 */
export type JsonText<Value> = string & { readonly [valueType]: Value };

/** Parses JSON text into its value. */
export const parseJson = <Value>(text: JsonText<Value>): Value => JSON.parse(text) as Value;

/** Builds the JSON text of an array from elements that are already JSON text. */
export const buildJsonArray = <Item>(items: readonly JsonText<Item>[]): JsonText<Item[]> =>
  `[${items.join(',')}]` as JsonText<Item[]>;

/** Builds the JSON text of an object from values that are already JSON text. Property names must need no escaping. */
export const buildJsonObject = <Parts extends Record<string, JsonText<unknown>>>(
  parts: Parts,
): JsonText<{ [Name in keyof Parts]: Parts[Name] extends JsonText<infer Value> ? Value : never }> => {
  const members = Object.entries(parts).map(([name, value]) => `"${name}":${value}`);
  return `{${members.join(',')}}` as ReturnType<typeof buildJsonObject<Parts>>;
};

/** Serializes a value to JSON text. */
export const toJson = <Value extends string | number | boolean | object | null>(
  value: Value,
): JsonText<Value> => JSON.stringify(value) as JsonText<Value>;
