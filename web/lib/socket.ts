import type { Channel, Socket } from 'phoenix';
import { heartbeatSeconds, socketPath } from '#contract/realtime.ts';
import { noteConnection } from './reachability.ts';
import { reconnectDelay } from './reconnect.ts';
import { getAccessToken, onSessionChange, renewAccessToken, sessionNow } from './session.ts';

export interface TopicHandlers {
  /** Server events by name. */
  on: Record<string, (payload: unknown) => void>;
  /** Returns the newest known seq; called at each (re)join. */
  afterSeq?: (() => number | undefined) | undefined;
  /** Called after each (re)join with the server's reply. */
  onJoined?: ((reply: unknown) => void) | undefined;
}

/** Timeout in ms for checking that an open connection survived a network change. */
const proofMs = 3000;

let socket: Promise<Socket> | undefined;
/** The joined channels, each with the token that it last sent. */
const channels = new Map<Channel, string>();

const tokenNow = (): string => sessionNow().session?.access_token ?? '';

const sendToken = (channel: Channel): void => {
  const token = tokenNow();
  if (!token || channel.state !== 'joined' || channels.get(channel) === token) return;
  channels.set(channel, token);
  channel.push('access_token', { access_token: token });
};

const sendTokens = (): void => {
  for (const channel of channels.keys()) sendToken(channel);
};

/** Renews a refused token, or ends the session; the channel retries the join by itself. */
const renewQuietly = (): void => {
  renewAccessToken().catch(() => {
    // The server is unreachable; the next refusal retries.
  });
};

const reconnect = (broken: Socket): void =>
  broken.disconnect(() => {
    if (channels.size > 0) broken.connect();
  });

/**
 * Handles a returning network: reconnects immediately instead of waiting for the next attempt, and checks a connection
 * that looks open, since it may have died silently with the old network.
 */
const handleNetworkReturn = (present: Socket): void => {
  if (channels.size === 0) return;
  let alive = false;
  const asked = present.ping(() => {
    alive = true;
  });
  if (asked) setTimeout(() => !alive && reconnect(present), proofMs);
  // Spread out, because a whole campus may reconnect at the same moment.
  else setTimeout(() => !present.isConnected() && reconnect(present), Math.random() * 1000);
};

const createSocket = async (): Promise<Socket> => {
  const { Socket } = await import('phoenix');
  const created = new Socket(socketPath, {
    heartbeatIntervalMs: heartbeatSeconds * 1000,
    reconnectAfterMs: (tries) => reconnectDelay(tries),
    rejoinAfterMs: (tries) => reconnectDelay(tries),
  });
  created.onOpen(() => noteConnection(true));
  created.onClose(() => noteConnection(channels.size === 0));
  window.addEventListener('online', () => handleNetworkReturn(created));
  onSessionChange(sendTokens);
  return created;
};

const loadSocket = (): Promise<Socket> => {
  socket ??= createSocket().catch((error: unknown) => {
    socket = undefined;
    throw error;
  });
  return socket;
};

/**
 * Listens to a topic until the returned function is called; reconnects and rejoins by itself. The connection exists as
 * long as there is a listener.
 */
export const subscribe = (topic: string, handlers: TopicHandlers): (() => void) => {
  let ended = false;
  let channel: Channel | undefined;

  const join = async (): Promise<void> => {
    // Renew a token that is about to expire before the first join would be refused.
    await getAccessToken();
    const connection = await loadSocket();
    if (ended) return;
    const joined = connection.channel(topic, () => {
      const after = handlers.afterSeq?.();
      const token = tokenNow();
      channels.set(joined, token);
      return { access_token: token, ...(after === undefined ? {} : { after_seq: after }) };
    });
    channel = joined;
    channels.set(joined, '');
    for (const [event, handle] of Object.entries(handlers.on)) joined.on(event, handle);
    // A dead network delivers no close event.
    joined.onError(() => {
      if (!connection.isConnected()) noteConnection(false);
    });
    connection.connect();
    joined
      .join()
      .receive('ok', (reply: unknown) => {
        // The token was renewed during the join.
        sendToken(joined);
        handlers.onJoined?.(reply);
      })
      .receive('error', (refusal: { reason?: string } | undefined) => {
        if (refusal?.reason === 'not_authenticated') renewQuietly();
        // Not accessible or deleted, so retrying is pointless.
        else if (refusal?.reason?.endsWith('not_found')) joined.leave();
      });
  };

  const retry = (): void => {
    join().catch(() => {
      // The socket's script could not be loaded, for example offline.
      noteConnection(false);
      if (!ended) setTimeout(() => !ended && retry(), reconnectDelay(4));
    });
  };
  retry();

  return () => {
    ended = true;
    if (!channel) return;
    channels.delete(channel);
    channel.leave();
    if (channels.size === 0) void socket?.then((open) => channels.size === 0 && open.disconnect());
  };
};
