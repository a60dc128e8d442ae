import type { Channel, Socket } from 'phoenix';
import { heartbeatSeconds, socketPath } from '#contract/realtime.ts';
import { noteConnection } from './reachability.ts';
import { reconnectDelay } from './reconnect.ts';
import { getAccessToken, onSessionChange, renewAccessToken, sessionNow } from './session.ts';

export interface TopicHandlers {
  /** Server events by name. */
  on: Record<string, (payload: unknown) => void>;
  /** The newest seq held, asked anew at each (re)join. */
  afterSeq?: (() => number | undefined) | undefined;
  /** Joined, first or again, with what the server answered. */
  onJoined?: ((reply: unknown) => void) | undefined;
}

/** How long an open connection may take to show that it survived a change of network, in milliseconds. */
const proofMs = 3000;

let socket: Promise<Socket> | undefined;
/** The channels that somebody listens to, each with the token it was last told. */
const channels = new Map<Channel, string>();

const tokenNow = (): string => sessionNow().session?.access_token ?? '';

const tellToken = (channel: Channel): void => {
  const token = tokenNow();
  if (!token || channel.state !== 'joined' || channels.get(channel) === token) return;
  channels.set(channel, token);
  channel.push('access_token', { access_token: token });
};

const tellTokens = (): void => {
  for (const channel of channels.keys()) tellToken(channel);
};

/** A refused token is renewed, or the session found to be over; the join is tried again by itself. */
const renewQuietly = (): void => {
  renewAccessToken().catch(() => {
    // Out of reach: the next refusal asks again.
  });
};

const connectAnew = (broken: Socket): void =>
  broken.disconnect(() => {
    if (channels.size > 0) broken.connect();
  });

/**
 * The network is back: connects at once rather than when the present wait is over, and asks a connection that looks
 * open whether it is, since the old network may have taken it along without a word.
 */
const comeBack = (present: Socket): void => {
  if (channels.size === 0) return;
  let alive = false;
  const asked = present.ping(() => {
    alive = true;
  });
  if (asked) setTimeout(() => !alive && connectAnew(present), proofMs);
  // A whole campus comes back at the same moment.
  else setTimeout(() => !present.isConnected() && connectAnew(present), Math.random() * 1000);
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
  window.addEventListener('online', () => comeBack(created));
  onSessionChange(tellTokens);
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
 * Listens to a topic until the returned function is called; reconnects and rejoins by itself.
 * The connection exists as long as somebody listens.
 */
export const subscribe = (topic: string, handlers: TopicHandlers): (() => void) => {
  let ended = false;
  let channel: Channel | undefined;

  const join = async (): Promise<void> => {
    // A token about to expire is renewed before the first join rather than refused by it.
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
    // A dead network lets no close event through.
    joined.onError(() => {
      if (!connection.isConnected()) noteConnection(false);
    });
    connection.connect();
    joined
      .join()
      .receive('ok', (reply: unknown) => {
        // Renewed while the join was on its way.
        tellToken(joined);
        handlers.onJoined?.(reply);
      })
      .receive('error', (refusal: { reason?: string } | undefined) => {
        if (refusal?.reason === 'not_authenticated') renewQuietly();
        // Not ours, or gone: asking again would change nothing.
        else if (refusal?.reason?.endsWith('not_found')) joined.leave();
      });
  };

  const retry = (): void => {
    join().catch(() => {
      // The script of the connection could not be fetched, as happens offline.
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
