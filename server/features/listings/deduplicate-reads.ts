/**
 * Wraps a read so that identical concurrent requests share its result. A request never joins a read that is already
 * running, because that read may miss a change committed since it started; it waits for the next read, which starts
 * when the current one ends. If the current read fails, the waiting requests fail with it, so that nobody waits for two
 * timeouts.
 */
export const deduplicateReads = <Input, Output>(
  read: (input: Input) => Promise<Output>,
): ((input: Input) => Promise<Output>) => {
  const current = new Map<string, Promise<Output>>();
  const next = new Map<string, Promise<Output>>();

  const start = (key: string, input: Input): Promise<Output> => {
    const reading = read(input).finally(() => {
      if (current.get(key) === reading) current.delete(key);
    });
    current.set(key, reading);
    return reading;
  };

  return (input) => {
    const key = JSON.stringify(input);
    const running = current.get(key);
    if (!running) return start(key, input);
    const waiting = next.get(key);
    if (waiting) return waiting;
    const following = running.finally(() => next.delete(key)).then(() => start(key, input));
    next.set(key, following);
    return following;
  };
};
