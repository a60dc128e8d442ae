/** The handlers of one side, by method name. */
type Answers<Names extends string = string> = Record<Names, (what: never) => unknown>;

/** The peer process: `process` in a child, the worker or child in its parent. */
interface Channel {
  send?(message: object, onSent: (error: Error | null) => void): unknown;
  on(event: 'message', hear: (message: object) => void): unknown;
}

/** Calls the peer process. */
export interface RpcClient<Theirs> {
  /** Calls a method of the peer; rejects when there is no reply within `timeoutMs`, or when the peer's handler failed. */
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
 * Opens request/response calls over the IPC channel between a process and its child (node:child_process,
 * node:cluster), in both directions. Calls arrive in order. Other messages on the channel are ignored.
 */
export const openRpc = <Theirs extends Answers<Extract<keyof Theirs, string>>>(
  channel: Channel,
  answers: object,
): RpcClient<Theirs> => {
  const mine = answers as Answers;
  const waiting = new Map<number, Waiting>();
  let asked = 0;

  const reply = async (id: number, name: string, what: unknown): Promise<void> => {
    // A peer that has exited needs no reply.
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
