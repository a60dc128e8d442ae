import type { Server } from 'node:http';
import type { RawData, WebSocket } from 'ws';
import {
  type Announcement,
  type Frame,
  joinTimeoutSeconds,
  socketTimeoutSeconds,
} from '#contract/realtime.ts';
import type { Conversations } from '#server/conversations/public.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Log } from '#server/platform/process/log.ts';
import type { Authenticate } from '#server/platform/process/request-context.ts';
import { createHandshake, isRealtimeUpgrade } from './admission.ts';
import { createChannels } from './channels.ts';
import type { ConnectionLimits, ConnectionSlot } from './connection-limits.ts';
import { createDelivery } from './delivery.ts';
import { acceptance, readFrame } from './frames.ts';
import { createLiveSocket, isFull, type LiveSocket, send } from './live-socket.ts';

export interface RealtimeDeps {
  authenticate: Authenticate;
  /** Returns those of the given sessions that have ended. */
  listEndedSessions: (ids: readonly string[]) => Promise<string[]>;
  conversations: Conversations;
  connectionLimits: ConnectionLimits;
  bus: Bus;
  clock: Clock;
  /** Pages of this origin may connect. */
  publicUrl: string;
  /** Addresses or networks of proxies whose forwarded headers are trusted. */
  trustProxy: string[];
  log: Log;
}

/** Intervals and timeouts in ms. */
export interface RealtimeTimes {
  /** How long a socket may stay open without joining a topic. */
  firstFrameMs: number;
  /** How long a socket may stay silent before it is closed. */
  silenceMs: number;
  sweepEveryMs: number;
  /** How often the database is polled for events that were not announced. */
  reconcileEveryMs: number;
  /** The same while the bus is disconnected, so that events still arrive within seconds. */
  disconnectedReconcileEveryMs: number;
}

export interface Realtime {
  /** Accepts sockets on an HTTP server and starts to deliver, until `close`. */
  attach(server: Server): void;
  /** Closes overdue sockets and continues pending deliveries, by the clock; also runs every `sweepEveryMs`. */
  sweep(): Promise<void>;
  /** Number of open sockets. */
  size(): number;
  /** Resolves when no delivery is in progress. */
  settled(): Promise<void>;
  /** Closes every socket with 1001 and accepts no new ones; resolves when all are closed. */
  close(): Promise<void>;
}

/** WebSocket close codes (RFC 6455, 7.4.1). */
const closeCode = { goingAway: 1001, unsupported: 1003, policy: 1008 } as const;
const framesPending = 200;
/** How long an ended session is remembered, so that a join in progress at that moment is refused. */
const endedMs = 60_000;
/** The topic of the socket itself, which receives heartbeats. */
const socketTopic = 'phoenix';

/** Creates the live delivery of messages over channels on WebSockets. */
export const createRealtime = (deps: RealtimeDeps, times: Partial<RealtimeTimes> = {}): Realtime => {
  const { authenticate, listEndedSessions, conversations, bus, clock, log } = deps;
  const { firstFrameMs = joinTimeoutSeconds * 1000, silenceMs = socketTimeoutSeconds * 1000 } = times;
  const { sweepEveryMs = 1000, reconcileEveryMs = 10_000, disconnectedReconcileEveryMs = 2000 } = times;
  const nowMs = () => clock.elapsed();
  const sockets = new Set<LiveSocket>();
  const ended = new Map<string, number>();
  const delivery = createDelivery({ conversations, log });
  const hasEnded = (sessionId: string) => ended.has(sessionId);
  const channels = createChannels({ authenticate, conversations, delivery, hasEnded, clock, log });
  let isClosing = false;
  let onEmpty = () => {};
  let reconciledAt = nowMs();

  /** Stops delivery immediately, however long the closing handshake takes. */
  const disconnect = (socket: LiveSocket, code: number, reason: string): void => {
    delivery.forget(socket);
    socket.webSocket.close(code, reason);
  };

  // Sequentially, so that a leave cannot overtake its join.
  const enqueue = (socket: LiveSocket, frame: Frame): void => {
    socket.pending += 1;
    socket.tail = socket.tail.then(async () => {
      await channels.handle(socket, frame);
      socket.pending -= 1;
      if (socket.pending === 0) socket.verified = undefined;
    });
  };

  const receive = (socket: LiveSocket, data: RawData, isBinary: boolean): void => {
    socket.receivedAt = nowMs();
    const frame = isBinary ? undefined : readFrame(data.toString());
    if (!frame) disconnect(socket, closeCode.unsupported, 'Malformed frame');
    else if (frame[2] === socketTopic && frame[3] === 'heartbeat') send(socket, acceptance(frame));
    else if (socket.pending >= framesPending) disconnect(socket, closeCode.policy, 'Too many frames');
    else enqueue(socket, frame);
  };

  const accept = (webSocket: WebSocket, slot: ConnectionSlot): void => {
    const socket = createLiveSocket(webSocket, slot, nowMs());
    socket.onSent = () => {
      if (!delivery.isPaused(socket) || isFull(socket)) return;
      socket.behindSince = undefined;
      delivery.resume(socket);
    };
    sockets.add(socket);
    webSocket.on('message', (data, isBinary) => receive(socket, data, isBinary));
    // The library closes the socket itself when a frame is malformed (too large, not text).
    webSocket.on('error', () => {});
    webSocket.on('close', () => {
      delivery.forget(socket);
      sockets.delete(socket);
      if (sockets.size === 0) onEmpty();
    });
  };

  const endSessions = (ids: readonly string[]): void => {
    if (ids.length === 0) return;
    for (const id of ids) ended.set(id, nowMs());
    for (const socket of sockets) {
      const isAffected = socket.listeners.values().some(({ sessionId }) => ids.includes(sessionId));
      if (isAffected) disconnect(socket, closeCode.policy, 'Session ended');
    }
  };

  const handle = (announcement: Announcement): void => {
    if (announcement.kind === 'sessions_ended') endSessions(announcement.session_ids);
    else if (announcement.kind !== 'pages_changed') delivery.announce(announcement);
  };
  const isOverdue = ({ receivedAt, behindSince }: LiveSocket, now: number): boolean =>
    now - receivedAt > silenceMs || now - (behindSince ?? now) > silenceMs;

  /** Closes a socket that is overdue in any way, and continues delivering to one that has drained its buffer. */
  const inspect = (socket: LiveSocket, now: number): void => {
    if (!delivery.isPaused(socket)) socket.behindSince = undefined;
    else if (isFull(socket)) socket.behindSince ??= now;
    else delivery.resume(socket);
    if (isOverdue(socket, now)) {
      socket.webSocket.terminate();
      return;
    }
    channels.expire(socket);
    const idleMs = now - (socket.idleSince ?? now);
    // A socket that waits for the reply to its join is not idle, for example when everybody reconnects after a restart.
    const isIdle = socket.account === undefined && socket.pending === 0;
    if (idleMs >= (isIdle ? firstFrameMs : silenceMs)) {
      disconnect(socket, closeCode.policy, 'Nothing joined');
    }
  };

  /** Polls the database for events that were not announced: undelivered messages and ended sessions. */
  const reconcile = async (): Promise<void> => {
    await delivery.reconcile();
    const sessionIds = new Set(delivery.listeners().map(({ sessionId }) => sessionId));
    if (sessionIds.size > 0) endSessions(await listEndedSessions([...sessionIds]));
  };

  const sweep = async (): Promise<void> => {
    const now = nowMs();
    for (const socket of sockets) inspect(socket, now);
    for (const [id, at] of ended) if (now - at > endedMs) ended.delete(id);
    delivery.retry();
    if (now - reconciledAt < (bus.isDisconnected() ? disconnectedReconcileEveryMs : reconcileEveryMs)) return;
    reconciledAt = now;
    await reconcile();
  };

  let stop = () => {};
  const attach = (server: Server): void => {
    const upgrade = createHandshake({ ...deps, accept, isClosing: () => isClosing });
    server.on('upgrade', (request, stream, head) => {
      // In development another socket shares the port.
      if (isRealtimeUpgrade(request)) void upgrade(request, stream, head);
    });
    const unsubscribe = bus.subscribe(handle, channels.makeAllRejoin);
    const timer = setInterval(() => {
      sweep().catch((error: unknown) => log.warn({ err: error }, 'Live delivery could not be checked'));
    }, sweepEveryMs);
    timer.unref();
    stop = () => {
      clearInterval(timer);
      unsubscribe();
    };
  };

  return {
    attach,
    sweep,
    size: () => sockets.size,
    settled: delivery.settled,
    close: async () => {
      isClosing = true;
      stop();
      if (sockets.size > 0) {
        await new Promise<void>((done) => {
          onEmpty = done;
          for (const socket of sockets) disconnect(socket, closeCode.goingAway, 'Going away');
        });
      }
      await delivery.settled();
    },
  };
};
