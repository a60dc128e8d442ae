import { type Channel, Socket } from 'phoenix';
import { heartbeatIntervalSeconds, socketPath } from '#contract/realtime.ts';
import { recordConnectionState } from './reachability.ts';
import { getReconnectDelayMs } from './reconnect.ts';
import { getAccessToken, getSessionSnapshot, onSessionChange, renewAccessToken } from './session.ts';

export interface TopicHandlers {
  /** Handlers of server events, by event name. */
  on: Record<string, (payload: unknown) => void>;
  /** Returns the `seq` up to which the client has all messages; each join sends it to the server. */
  afterSeq?: (() => number | undefined) | undefined;
  /** Returns how many unsent messages the client knows; each join sends it, too. */
  afterUnsent?: (() => number | undefined) | undefined;
  /** Called after each (re)join with the server's reply. */
  onJoined?: ((reply: unknown) => void) | undefined;
}

/** Timeout in ms of the ping that checks whether an open connection survived a network change. */
const pingTimeoutMs = 3000;

/** The socket of all topics; created with the first subscription. */
let sharedSocket: Socket | undefined;
/** The channels in use, each with the access token that was last sent on it. */
const sentTokenByChannel = new Map<Channel, string>();

const getCurrentAccessToken = (): string => getSessionSnapshot().session?.access_token ?? '';

const sendAccessToken = (channel: Channel): void => {
  const token = getCurrentAccessToken();
  if (!token || channel.state !== 'joined' || sentTokenByChannel.get(channel) === token) return;
  sentTokenByChannel.set(channel, token);
  channel.push('access_token', { access_token: token });
};

const sendAccessTokens = (): void => {
  for (const channel of sentTokenByChannel.keys()) sendAccessToken(channel);
};

/**
 * Renews a token that the server refused or, if the session has ended, ends it in this browser too. The
 * channel retries the join automatically.
 */
const renewTokenInBackground = (): void => {
  renewAccessToken().catch(() => {
    // The server is unreachable. After the next refused join, this function tries again to renew the token.
  });
};

const reconnectSocket = (broken: Socket): void =>
  broken.disconnect(() => {
    if (sentTokenByChannel.size > 0) broken.connect();
  });

/**
 * Called when the device has a network again. Reconnects immediately instead of waiting for the
 * next attempt. If the connection looks open, sends a ping, because the connection may have been
 * lost with the previous network.
 */
const handleNetworkReturn = (socket: Socket): void => {
  if (sentTokenByChannel.size === 0) return;
  let isAlive = false;
  const isPingSent = socket.ping(() => {
    isAlive = true;
  });
  if (isPingSent) setTimeout(() => !isAlive && reconnectSocket(socket), pingTimeoutMs);
  // The random delay spreads the load when a whole campus reconnects at the same moment.
  else setTimeout(() => !socket.isConnected() && reconnectSocket(socket), Math.random() * 1000);
};

const createSocket = (): Socket => {
  const created = new Socket(socketPath, {
    heartbeatIntervalMs: heartbeatIntervalSeconds * 1000,
    reconnectAfterMs: (tries) => getReconnectDelayMs(tries),
    rejoinAfterMs: (tries) => getReconnectDelayMs(tries),
  });
  created.onOpen(() => recordConnectionState(true));
  created.onClose(() => recordConnectionState(sentTokenByChannel.size === 0));
  window.addEventListener('online', () => handleNetworkReturn(created));
  onSessionChange(sendAccessTokens);
  return created;
};

/** Sends a client event without a payload on a topic. Does nothing while the topic is not joined. */
export const pushToTopic = (topic: string, event: string): void => {
  for (const channel of sentTokenByChannel.keys())
    if (channel.topic === topic && channel.state === 'joined') channel.push(event, {});
};

/**
 * Subscribes to a topic until the returned function is called. Reconnects and rejoins the topic
 * automatically. The connection stays open while there is any subscription.
 */
export const subscribeToTopic = (topic: string, handlers: TopicHandlers): (() => void) => {
  let isEnded = false;
  let channel: Channel | undefined;

  const join = async (): Promise<void> => {
    // Renew the access token if it is about to expire, so that the first join is not refused.
    await getAccessToken();
    if (isEnded) return;
    sharedSocket ??= createSocket();
    const connection = sharedSocket;
    const joined = connection.channel(topic, () => {
      const afterSeq = handlers.afterSeq?.();
      const token = getCurrentAccessToken();
      sentTokenByChannel.set(joined, token);
      return {
        access_token: token,
        ...(afterSeq === undefined ? {} : { after_seq: afterSeq, after_unsent: handlers.afterUnsent?.() }),
      };
    });
    channel = joined;
    sentTokenByChannel.set(joined, '');
    for (const [event, handle] of Object.entries(handlers.on)) joined.on(event, handle);
    // Losing the network may cause only this error event and no close event.
    joined.onError(() => {
      if (!connection.isConnected()) recordConnectionState(false);
    });
    connection.connect();
    joined
      .join()
      .receive('ok', (reply: unknown) => {
        // Send the access token again, because it may have been renewed during the join.
        sendAccessToken(joined);
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
      // An expired token could not be renewed, for example because the server is unreachable.
      if (!sharedSocket?.isConnected()) recordConnectionState(false);
      if (!isEnded) setTimeout(() => !isEnded && joinWithRetry(), getReconnectDelayMs(4));
    });
  };
  joinWithRetry();

  return () => {
    isEnded = true;
    if (!channel) return;
    sentTokenByChannel.delete(channel);
    channel.leave();
    if (sentTokenByChannel.size === 0) sharedSocket?.disconnect();
  };
};
