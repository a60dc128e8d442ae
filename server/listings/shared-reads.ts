/**
 * Wraps a read so that identical concurrent requests share it. A request never joins a read that is already running,
 * because that one may miss a change committed since; it waits for the next, which starts when the current one ends.
 * A failure is passed to the waiting requests too, so that nobody waits for two time-outs.
 */
export const shareReads = <Input, Output>(
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
