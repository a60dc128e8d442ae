import type { WebSocket } from 'ws';
import type { Session } from '#server/http/sessions.ts';
import type { ConnectionSlot } from './connection-limits.ts';
import { eventFrame } from './frames.ts';

/** More than this waiting to be read: nothing further is read from the database for this socket. */
const pauseBytes = 256 * 1024;
/** More than this waiting: the reader is too slow to keep. */
const dropBytes = 1024 * 1024;

/** One topic that one socket listens to. */
export interface Listener {
  readonly socket: LiveSocket;
  readonly topic: string;
  /** The client's name for this joining: frames for an earlier one are dropped by it. */
  readonly joinRef: string | null;
  /** Whose topic it is: a conversation's id, or a person's. */
  readonly kind: 'conversation' | 'user';
  readonly id: string;
  readonly userId: string;
  sessionId: string;
  /** When the right to listen ends, in ms since 1970. */
  expiresAt: number;
  /** The newest seq delivered. */
  cursor: number;
  /** Events kept back until the join is answered; undefined from then on. */
  heldBack: { event: string; payload: string }[] | undefined;
}

/** One open socket and what it listens to. Instants are ms since 1970. */
export interface LiveSocket {
  readonly wire: WebSocket;
  readonly slot: ConnectionSlot;
  /** Who it has shown itself to be; undefined until its first join. */
  account: string | undefined;
  /** The token shown last and whose it is, while there are frames to answer. */
  proof: { accessToken: string; session: Session } | undefined;
  readonly listeners: Map<string, Listener>;
  heardAt: number;
  /** Since when it listens to nothing; undefined while it listens. */
  idleSince: number | undefined;
  /** Since when it does not keep up with what it asked for. */
  behindSince: number | undefined;
  /** Called when something sent has left for the network. */
  onSent: () => void;
  /** Frames not answered yet, and the end of the queue they are answered in. */
  pending: number;
  tail: Promise<void>;
}

export const createLiveSocket = (wire: WebSocket, slot: ConnectionSlot, now: number): LiveSocket => ({
  wire,
  slot,
  account: undefined,
  proof: undefined,
  listeners: new Map(),
  heardAt: now,
  idleSince: now,
  behindSince: undefined,
  onSent: () => {},
  pending: 0,
  tail: Promise.resolve(),
});

export const isOpen = ({ wire }: LiveSocket): boolean => wire.readyState === wire.OPEN;

/** Whether this socket must take in what it was sent before it is sent more pages. */
export const isFull = ({ wire }: LiveSocket): boolean => wire.bufferedAmount > pauseBytes;

/** Sends a frame; ends the connection instead where the reader does not read. */
export const send = (socket: LiveSocket, frame: string): void => {
  if (!isOpen(socket)) return;
  if (socket.wire.bufferedAmount > dropBytes) socket.wire.terminate();
  else socket.wire.send(frame, socket.onSent);
};

/** Sends an event to one listener, after the answer to its join; the payload is JSON already. */
export const push = (listener: Listener, event: string, payload = '{}'): void => {
  if (listener.heldBack) listener.heldBack.push({ event, payload });
  else send(listener.socket, eventFrame(listener, event, payload));
};

/** Answers the join of a listener, and sends what has happened since it counts as one. */
export const admit = (listener: Listener, answer: string): void => {
  const { heldBack = [] } = listener;
  listener.heldBack = undefined;
  send(listener.socket, answer);
  for (const { event, payload } of heldBack) push(listener, event, payload);
};
