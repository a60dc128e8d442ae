/**
 * Like the type T, but any array may be an async iterable instead, so that large lists can be written as a
 * stream.
 */
export type Streamable<T> = T extends readonly (infer Item)[]
  ? T | AsyncIterable<Streamable<Item>>
  : T extends object
    ? { [Key in keyof T]: Streamable<T[Key]> }
    : T;

const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

/**
 * Writes a value as JSON in chunks. An async iterable is written as an array, but only if it is the value
 * itself or a direct property of the value. Rethrows errors of the iterables.
 */
export async function* writeJson(value: unknown): AsyncGenerator<string> {
  if (isAsyncIterable(value)) {
    let separator = '[\n';
    for await (const item of value) {
      yield separator;
      yield* writeJson(item);
      separator = ',\n';
    }
    yield separator === '[\n' ? '[]' : '\n]';
    return;
  }
  const isPlain = typeof value !== 'object' || value === null || !Object.values(value).some(isAsyncIterable);
  if (isPlain) {
    yield JSON.stringify(value);
    return;
  }
  let separator = '{\n';
  for (const [name, part] of Object.entries(value)) {
    yield `${separator}${JSON.stringify(name)}: `;
    yield* writeJson(part);
    separator = ',\n';
  }
  yield '\n}';
}
