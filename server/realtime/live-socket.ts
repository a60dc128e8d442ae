import type { WebSocket } from 'ws';
import type { Session } from '#server/platform/process/request-context.ts';
import type { ConnectionSlot } from './connection-limits.ts';
import { formatEvent } from './frames.ts';

/**
 * While a socket's send buffer contains more bytes than this, no further messages are read for it from the
 * database.
 */
const pauseAboveBytes = 256 * 1024;
/**
 * When a socket's send buffer contains more bytes than this, the client reads too slowly and is disconnected.
 */
const disconnectAboveBytes = 1024 * 1024;

export interface TopicListener {
  readonly socket: LiveSocket;
  readonly topic: string;
  /**
   * Reference that the client chose for this join; the client ignores frames that carry the reference of an
   * earlier join.
   */
  readonly joinRef: string | null;
  /** Kind of the topic, which determines whether `id` identifies a conversation or an account. */
  readonly kind: 'conversation' | 'user';
  readonly id: string;
  readonly userId: string;
  sessionId: string;
  /**
   * When the access token expires. This is wall-clock time, whereas the times in `LiveSocket` are
   * measured with the monotonic clock.
   */
  expiresAt: Date;
  /** The `seq` of the newest delivered message. */
  cursor: number;
  /** The `unsent_number` of the newest delivered `unsent` event. */
  unsentCursor: number;
  /** Events that are held back until the reply to the join has been sent. It is undefined afterwards. */
  heldBack: { event: string; payload: string }[] | undefined;
}

/** One open socket and its listeners. Times are in milliseconds on the monotonic clock (`clock.elapsed()`). */
export interface LiveSocket {
  readonly webSocket: WebSocket;
  readonly slot: ConnectionSlot;
  /** Id of the authenticated account, or undefined until the first join. */
  userId: string | undefined;
  /** The last verified token and its session. They are cached only while frames are being processed. */
  verified: { accessToken: string; session: Session } | undefined;
  readonly listeners: Map<string, TopicListener>;
  /** When the last frame was received on this socket. */
  receivedAt: number;
  /** Time since which the socket has had no listener, or undefined while it has one. */
  idleSince: number | undefined;
  /** When the buffer became full, or undefined while it is not full. */
  bufferFullSince: number | undefined;
  /** Called when buffered data has been written to the network. */
  onSent: () => void;
  /**
   * `pending` is the number of received frames that have no reply yet; `tail` resolves when all of
   * them have been processed.
   */
  pending: number;
  tail: Promise<void>;
}

/** Creates the state of a socket that opened at `now`, in milliseconds on the monotonic clock. */
export const createLiveSocket = (webSocket: WebSocket, slot: ConnectionSlot, now: number): LiveSocket => ({
  webSocket,
  slot,
  userId: undefined,
  verified: undefined,
  listeners: new Map(),
  receivedAt: now,
  idleSince: now,
  bufferFullSince: undefined,
  onSent: () => {},
  pending: 0,
  tail: Promise.resolve(),
});

export const isSocketOpen = ({ webSocket }: LiveSocket): boolean => webSocket.readyState === webSocket.OPEN;

/** Returns whether the socket's buffer must drain before more batches of messages are sent. */
export const isSocketBufferFull = ({ webSocket }: LiveSocket): boolean =>
  webSocket.bufferedAmount > pauseAboveBytes;

/** Sends a frame, or terminates the connection when the client reads too slowly. */
export const sendFrame = (socket: LiveSocket, frame: string): void => {
  if (!isSocketOpen(socket)) return;
  if (socket.webSocket.bufferedAmount > disconnectAboveBytes) socket.webSocket.terminate();
  else socket.webSocket.send(frame, socket.onSent);
};

/**
 * Sends an event to one listener. If the reply to the listener's join has not been sent yet, holds
 * the event back until then. The payload is JSON.
 */
export const sendEvent = (listener: TopicListener, event: string, payload = '{}'): void => {
  if (listener.heldBack) listener.heldBack.push({ event, payload });
  else sendFrame(listener.socket, formatEvent(listener, event, payload));
};

/** Replies to a listener's join and sends the events held back since it was registered. */
export const replyAndFlushEvents = (listener: TopicListener, reply: string): void => {
  const { heldBack = [] } = listener;
  listener.heldBack = undefined;
  sendFrame(listener.socket, reply);
  for (const { event, payload } of heldBack) sendEvent(listener, event, payload);
};
