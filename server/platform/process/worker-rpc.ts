/** What one side of a line answers, by the name of the question. */
type Answers<Names extends string = string> = Record<Names, (what: never) => unknown>;

/** A process at the other end: `process` in a child, the worker or child in its parent. */
interface Channel {
  send?(message: object, onSent: (error: Error | null) => void): unknown;
  on(event: 'message', hear: (message: object) => void): unknown;
}

/** The way to ask the process at the other end. */
export interface RpcClient<Theirs> {
  /** Asks; rejects when there is no answer within `timeoutMs`, or the other side could not make one. */
  ask<Name extends keyof Theirs>(
    name: Name,
    what: Theirs[Name] extends (what: infer What) => unknown ? What : never,
    timeoutMs: number,
  ): Promise<Theirs[Name] extends (what: never) => infer Answer ? Awaited<Answer> : never>;
}

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

/**
 * Opens a line for questions and answers over the channel between a process and its child (node:child_process,
 * node:cluster), either side asking. What is asked arrives in order. Other messages of the channel pass it by.
 */
export const openRpc = <Theirs extends Answers<Extract<keyof Theirs, string>>>(
  channel: Channel,
  answers: object,
): RpcClient<Theirs> => {
  const mine = answers as Answers;
  const waiting = new Map<number, Waiting>();
  let asked = 0;

  const reply = async (id: number, name: string, what: unknown): Promise<void> => {
    // Whoever is gone by now waits for no answer.
    const send = (message: object) => channel.send?.(message, () => {});
    try {
      send({ reply: id, answer: await mine[name]?.(what as never) });
    } catch (error) {
      send({ reply: id, error: error instanceof Error ? error.message : String(error) });
    }
  };

  channel.on('message', (message) => {
    if ('ask' in message) {
      const { ask, name, what } = message as { ask: number; name: string; what: unknown };
      void reply(ask, name, what);
    } else if ('reply' in message) {
      const { reply: id, answer, error } = message as { reply: number; answer: unknown; error?: string };
      const asker = waiting.get(id);
      if (error === undefined) asker?.resolve(answer);
      else asker?.reject(new Error(error));
    }
  });

  return {
    ask: async (name, what, timeoutMs) => {
      asked += 1;
      const id = asked;
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      waiting.set(id, { resolve, reject });
      const timer = setTimeout(() => reject(new Error(`No answer to ${String(name)}`)), timeoutMs);
      channel.send?.({ ask: id, name, what }, (error) => error && reject(error));
      try {
        return (await promise) as never;
      } finally {
        clearTimeout(timer);
        waiting.delete(id);
      }
    },
  };
};
