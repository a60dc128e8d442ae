declare const written: unique symbol;

/** The JSON text of a value. Text that PostgreSQL wrote is sent as it is, without being parsed in between. */
export type JsonText<Value> = string & { readonly [written]: Value };

/** Returns the value that a JSON text stands for. */
export const parseJson = <Value>(text: JsonText<Value>): Value => JSON.parse(text) as Value;

/** Returns the JSON text of an array whose elements are JSON text already. */
export const jsonArray = <Item>(items: readonly JsonText<Item>[]): JsonText<Item[]> =>
  `[${items.join(',')}]` as JsonText<Item[]>;

/** Returns the JSON text of an object whose values are JSON text already. Names need no escaping. */
export const jsonObject = <Parts extends Record<string, JsonText<unknown>>>(
  parts: Parts,
): JsonText<{ [Name in keyof Parts]: Parts[Name] extends JsonText<infer Value> ? Value : never }> => {
  const members = Object.entries(parts).map(([name, value]) => `"${name}":${value}`);
  return `{${members.join(',')}}` as ReturnType<typeof jsonObject<Parts>>;
};

/** Returns the JSON text of a value. */
export const toJson = <Value extends string | number | boolean | object | null>(
  value: Value,
): JsonText<Value> => JSON.stringify(value) as JsonText<Value>;
