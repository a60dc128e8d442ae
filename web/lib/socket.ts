import type { Channel, Socket } from 'phoenix';
import { heartbeatSeconds, socketPath } from '#contract/realtime.ts';
import { recordConnectionState } from './reachability.ts';
import { reconnectDelayMs } from './reconnect.ts';
import { getAccessToken, getSessionView, onSessionChange, renewAccessToken } from './session.ts';

export interface TopicHandlers {
  /** Handlers of server events, by event name. */
  on: Record<string, (payload: unknown) => void>;
  /**
   * Returns the highest message `seq` that this client has; called at each join, so that the server sends later ones.
   */
  afterSeq?: (() => number | undefined) | undefined;
  /** Called after each (re)join with the server's reply. */
  onJoined?: ((reply: unknown) => void) | undefined;
}

/** Timeout in ms of the ping that checks whether an open connection survived a network change. */
const pingTimeoutMs = 3000;

let socketPromise: Promise<Socket> | undefined;
/** The channels in use, each with the access token that it last sent to the server. */
const channels = new Map<Channel, string>();

const currentAccessToken = (): string => getSessionView().session?.access_token ?? '';

const sendToken = (channel: Channel): void => {
  const token = currentAccessToken();
  if (!token || channel.state !== 'joined' || channels.get(channel) === token) return;
  channels.set(channel, token);
  channel.push('access_token', { access_token: token });
};

const sendTokens = (): void => {
  for (const channel of channels.keys()) sendToken(channel);
};

/** Renews a token that the server refused, or ends the session. The channel retries the join automatically. */
const renewTokenInBackground = (): void => {
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
const handleNetworkReturn = (socket: Socket): void => {
  if (channels.size === 0) return;
  let isAlive = false;
  const isPingSent = socket.ping(() => {
    isAlive = true;
  });
  if (isPingSent) setTimeout(() => !isAlive && reconnect(socket), pingTimeoutMs);
  // The random delay spreads the load when a whole campus reconnects at the same moment.
  else setTimeout(() => !socket.isConnected() && reconnect(socket), Math.random() * 1000);
};

const createSocket = async (): Promise<Socket> => {
  const { Socket } = await import('phoenix');
  const created = new Socket(socketPath, {
    heartbeatIntervalMs: heartbeatSeconds * 1000,
    reconnectAfterMs: (tries) => reconnectDelayMs(tries),
    rejoinAfterMs: (tries) => reconnectDelayMs(tries),
  });
  created.onOpen(() => recordConnectionState(true));
  created.onClose(() => recordConnectionState(channels.size === 0));
  window.addEventListener('online', () => handleNetworkReturn(created));
  onSessionChange(sendTokens);
  return created;
};

const loadSocket = (): Promise<Socket> => {
  socketPromise ??= createSocket().catch((error: unknown) => {
    socketPromise = undefined;
    throw error;
  });
  return socketPromise;
};

/**
 * Listens to a topic until the returned function is called; reconnects and rejoins by itself. The connection exists as
 * long as there is a listener.
 */
export const subscribeToTopic = (topic: string, handlers: TopicHandlers): (() => void) => {
  let isEnded = false;
  let channel: Channel | undefined;

  const join = async (): Promise<void> => {
    // Renews an expiring token, so that the first join is not refused.
    await getAccessToken();
    const connection = await loadSocket();
    if (isEnded) return;
    const joined = connection.channel(topic, () => {
      const afterSeq = handlers.afterSeq?.();
      const token = currentAccessToken();
      channels.set(joined, token);
      return { access_token: token, ...(afterSeq === undefined ? {} : { after_seq: afterSeq }) };
    });
    channel = joined;
    channels.set(joined, '');
    for (const [event, handle] of Object.entries(handlers.on)) joined.on(event, handle);
    // A dead network delivers no close event.
    joined.onError(() => {
      if (!connection.isConnected()) recordConnectionState(false);
    });
    connection.connect();
    joined
      .join()
      .receive('ok', (reply: unknown) => {
        // The token may have been renewed during the join.
        sendToken(joined);
        handlers.onJoined?.(reply);
      })
      .receive('error', (refusal: { reason?: string } | undefined) => {
        if (refusal?.reason === 'not_authenticated') renewTokenInBackground();
        // The topic does not exist or is not accessible, so retrying is pointless.
        else if (refusal?.reason?.endsWith('not_found')) joined.leave();
      });
  };

  const joinWithRetry = (): void => {
    join().catch(() => {
      // The socket's script could not be loaded, for example offline.
      recordConnectionState(false);
      if (!isEnded) setTimeout(() => !isEnded && joinWithRetry(), reconnectDelayMs(4));
    });
  };
  joinWithRetry();

  return () => {
    isEnded = true;
    if (!channel) return;
    channels.delete(channel);
    channel.leave();
    if (channels.size === 0) void socketPromise?.then((open) => channels.size === 0 && open.disconnect());
  };
};
