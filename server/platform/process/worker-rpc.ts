type RpcHandlers<Names extends string = string> = Record<Names, (params: never) => unknown>;

/** An IPC channel to a peer process: `process` in a child, the worker or child process object in its parent. */
interface IpcChannel {
  send?(message: object, onSent: (error: Error | null) => void): unknown;
  on(event: 'message', listener: (message: object) => void): unknown;
}

/** Calls methods of the peer process. */
export interface RpcClient<Theirs> {
  /** Calls a method of the peer. Rejects when there is no reply within `timeoutMs` or when the peer's handler fails. */
  call<Name extends keyof Theirs>(
    name: Name,
    params: Theirs[Name] extends (params: infer Params) => unknown ? Params : never,
    timeoutMs: number,
  ): Promise<Theirs[Name] extends (params: never) => infer Result ? Awaited<Result> : never>;
}

interface PendingCall {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/**
 * Serves `handlers` to the peer process and returns a client that calls the peer's handlers, over the IPC channel
 * between a process and its child (node:child_process, node:cluster). Calls arrive in order; other messages are
 * ignored.
 */
export const openRpc = <Theirs extends RpcHandlers<Extract<keyof Theirs, string>>>(
  channel: IpcChannel,
  handlers: object,
): RpcClient<Theirs> => {
  const ownHandlers = handlers as RpcHandlers;
  const pending = new Map<number, PendingCall>();
  let lastId = 0;

  const reply = async (id: number, name: string, params: unknown): Promise<void> => {
    // Send errors are ignored, because a peer that has exited needs no reply.
    const send = (message: object) => channel.send?.(message, () => {});
    try {
      send({ reply: id, result: await ownHandlers[name]?.(params as never) });
    } catch (error) {
      send({ reply: id, error: error instanceof Error ? error.message : String(error) });
    }
  };

  channel.on('message', (message) => {
    if ('call' in message) {
      const { call: id, name, params } = message as { call: number; name: string; params: unknown };
      void reply(id, name, params);
    } else if ('reply' in message) {
      const { reply: id, result, error } = message as { reply: number; result: unknown; error?: string };
      const call = pending.get(id);
      if (error === undefined) call?.resolve(result);
      else call?.reject(new Error(error));
    }
  });

  return {
    call: async (name, params, timeoutMs) => {
      lastId += 1;
      const id = lastId;
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      pending.set(id, { resolve, reject });
      const timer = setTimeout(() => reject(new Error(`No reply to ${String(name)}`)), timeoutMs);
      channel.send?.({ call: id, name, params }, (error) => error && reject(error));
      try {
        return (await promise) as never;
      } finally {
        clearTimeout(timer);
        pending.delete(id);
      }
    },
  };
};
