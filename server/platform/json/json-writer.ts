/** A value whose arrays may be async iterables, which are read only as fast as the output is consumed. */
export type Unfolding<T> = T extends readonly (infer Item)[]
  ? T | AsyncIterable<Unfolding<Item>>
  : T extends object
    ? { [Key in keyof T]: Unfolding<T[Key]> }
    : T;

const unfolds = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

/**
 * Writes a value as JSON in chunks. Async iterables that are direct properties of objects become arrays; throws what
 * they throw.
 */
export async function* writeJson(value: unknown): AsyncGenerator<string> {
  if (unfolds(value)) {
    let before = '[\n';
    for await (const item of value) {
      yield before;
      yield* writeJson(item);
      before = ',\n';
    }
    yield before === '[\n' ? '[]' : '\n]';
    return;
  }
  const isPlain = typeof value !== 'object' || value === null || !Object.values(value).some(unfolds);
  if (isPlain) {
    yield JSON.stringify(value);
    return;
  }
  let before = '{\n';
  for (const [name, part] of Object.entries(value)) {
    yield `${before}${JSON.stringify(name)}: `;
    yield* writeJson(part);
    before = ',\n';
  }
  yield '\n}';
}
