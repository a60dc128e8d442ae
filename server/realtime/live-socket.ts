import type { WebSocket } from 'ws';
import type { Session } from '#server/platform/process/request-context.ts';
import type { ConnectionSlot } from './connection-limits.ts';
import { eventFrame } from './frames.ts';

/** Buffered bytes above which nothing further is read from the database for a socket. */
const pauseBytes = 256 * 1024;
/** Buffered bytes above which the client is too slow and is disconnected. */
const dropBytes = 1024 * 1024;

/** One topic that one socket listens to. */
export interface Listener {
  readonly socket: LiveSocket;
  readonly topic: string;
  /** The client's reference of this join; the client drops frames of an earlier one. */
  readonly joinRef: string | null;
  /** Id of the topic's conversation or person. */
  readonly kind: 'conversation' | 'user';
  readonly id: string;
  readonly userId: string;
  sessionId: string;
  /** When the token expires, in ms since 1970 (wall clock, unlike the times of the socket). */
  expiresAt: number;
  /** The newest delivered seq. */
  cursor: number;
  /** Events held back until the reply to the join was sent; undefined afterwards. */
  heldBack: { event: string; payload: string }[] | undefined;
}

/** One open socket and its listeners. Its times are in ms of the monotonic clock (`clock.elapsed()`). */
export interface LiveSocket {
  readonly webSocket: WebSocket;
  readonly slot: ConnectionSlot;
  /** Id of the authenticated account; undefined until the first join. */
  account: string | undefined;
  /** The last verified token and its claims, while frames are being processed. */
  verified: { accessToken: string; session: Session } | undefined;
  readonly listeners: Map<string, Listener>;
  /** When its last frame was received. */
  receivedAt: number;
  /** Since when it has no listener; undefined while it has one. */
  idleSince: number | undefined;
  /** Since when its buffer has been full. */
  behindSince: number | undefined;
  /** Called when buffered data has been written to the network. */
  onSent: () => void;
  /** Number of frames without a reply yet, and the tail of the queue that processes them. */
  pending: number;
  tail: Promise<void>;
}

/** Creates the state of a socket that opened at `now`, in ms of the monotonic clock. */
export const createLiveSocket = (webSocket: WebSocket, slot: ConnectionSlot, now: number): LiveSocket => ({
  webSocket,
  slot,
  account: undefined,
  verified: undefined,
  listeners: new Map(),
  receivedAt: now,
  idleSince: now,
  behindSince: undefined,
  onSent: () => {},
  pending: 0,
  tail: Promise.resolve(),
});

export const isOpen = ({ webSocket }: LiveSocket): boolean => webSocket.readyState === webSocket.OPEN;

/** Returns whether the socket's buffer must drain before more pages are sent. */
export const isFull = ({ webSocket }: LiveSocket): boolean => webSocket.bufferedAmount > pauseBytes;

/** Sends a frame, or closes the connection when the client is not reading. */
export const send = (socket: LiveSocket, frame: string): void => {
  if (!isOpen(socket)) return;
  if (socket.webSocket.bufferedAmount > dropBytes) socket.webSocket.terminate();
  else socket.webSocket.send(frame, socket.onSent);
};

/** Sends an event to one listener, after the reply to its join; the payload is JSON. */
export const push = (listener: Listener, event: string, payload = '{}'): void => {
  if (listener.heldBack) listener.heldBack.push({ event, payload });
  else send(listener.socket, eventFrame(listener, event, payload));
};

/** Replies to a listener's join and sends the events held back since it was registered. */
export const releaseHeldBack = (listener: Listener, reply: string): void => {
  const { heldBack = [] } = listener;
  listener.heldBack = undefined;
  send(listener.socket, reply);
  for (const { event, payload } of heldBack) push(listener, event, payload);
};
