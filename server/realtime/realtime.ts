import type { Server } from 'node:http';
import type { RawData, WebSocket } from 'ws';
import {
  type BusMessage,
  type ChannelFrame,
  joinTimeoutSeconds,
  socketTimeoutSeconds,
} from '#contract/realtime.ts';
import type { ConversationService } from '#server/features/conversations/public.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Log } from '#server/platform/process/log.ts';
import type { SessionVerifier } from '#server/platform/process/request-context.ts';
import { createUpgradeHandler, isRealtimeUpgrade } from './admission.ts';
import { createChannelHandler } from './channels.ts';
import type { ConnectionLimits, ConnectionSlot } from './connection-limits.ts';
import { createLiveDelivery } from './delivery.ts';
import { formatOkReply, parseFrame } from './frames.ts';
import { createLiveSocket, isSocketBufferFull, type LiveSocket, sendFrame } from './live-socket.ts';

export interface RealtimeDeps {
  authenticate: SessionVerifier;
  /** Returns the ids of the given sessions that have ended, according to the database. */
  listEndedSessions: (ids: readonly string[]) => Promise<string[]>;
  conversations: ConversationService;
  /** Returns how many notifications of a person are unread. */
  countUnreadNotifications: (userId: string) => Promise<number>;
  connectionLimits: ConnectionLimits;
  bus: Bus;
  clock: Clock;
  /** The URL under which visitors reach the server; pages of its origin may connect. */
  publicUrl: string;
  /** Addresses or networks of proxies whose forwarded headers are trusted. */
  trustProxy: string[];
  log: Log;
}

/** Intervals and timeouts in ms. */
export interface RealtimeTimings {
  /** How long a socket may stay open without joining a topic. */
  firstFrameMs: number;
  /** How long a socket may stay silent before it is closed. */
  silenceMs: number;
  sweepEveryMs: number;
  /** How often the database is polled for changes whose bus message was lost. */
  reconcileEveryMs: number;
  /**
   * How often the database is polled while the bus is disconnected. The interval is shorter than usual, so
   * that changes still reach clients within seconds.
   */
  disconnectedReconcileEveryMs: number;
}

export interface RealtimeService {
  /** Accepts sockets on an HTTP server and delivers messages to them until `close`. */
  attach(server: Server): void;
  /**
   * Closes sockets that exceeded a timeout and continues deliveries that were paused or failed.
   * Runs automatically every `sweepEveryMs`.
   */
  sweep(): Promise<void>;
  /** Number of open sockets. */
  size(): number;
  /** Resolves when no delivery is in progress. */
  settled(): Promise<void>;
  /** Closes every socket with 1001 and accepts no new ones; resolves when all are closed. */
  close(): Promise<void>;
}

/** WebSocket close codes (RFC 6455, 7.4.1). */
const closeCodes = { goingAway: 1001, unsupported: 1003, policy: 1008 } as const;
const maxPendingFrames = 200;
/**
 * How long the service remembers that a session has ended, so that it refuses a join that was in
 * progress when the session ended.
 */
const endedSessionMemoryMs = 60_000;
/** The Phoenix topic of heartbeats, which belong to the socket and not to a joined topic. */
const heartbeatTopic = 'phoenix';

/** Creates the service that delivers messages live over Phoenix channels on WebSockets. */
export const createRealtimeService = (
  deps: RealtimeDeps,
  times: Partial<RealtimeTimings> = {},
): RealtimeService => {
  const { authenticate, listEndedSessions, conversations, countUnreadNotifications, bus, clock, log } = deps;
  const { firstFrameMs = joinTimeoutSeconds * 1000, silenceMs = socketTimeoutSeconds * 1000 } = times;
  const { sweepEveryMs = 1000, reconcileEveryMs = 10_000, disconnectedReconcileEveryMs = 2000 } = times;
  const nowMs = () => clock.elapsed();
  const sockets = new Set<LiveSocket>();
  const endedSessions = new Map<string, number>();
  const delivery = createLiveDelivery({ conversations, countUnreadNotifications, log });
  const hasEnded = (sessionId: string) => endedSessions.has(sessionId);
  const channels = createChannelHandler({ authenticate, conversations, delivery, hasEnded, clock, log });
  let isClosing = false;
  let onAllClosed = () => {};
  let reconciledAt = nowMs();

  /** Closes a socket. Delivery to it stops immediately, however long the closing handshake takes. */
  const disconnect = (socket: LiveSocket, code: number, reason: string): void => {
    delivery.forget(socket);
    socket.webSocket.close(code, reason);
  };

  // Frames of a socket are processed sequentially, so that a leave cannot overtake its join.
  const enqueue = (socket: LiveSocket, frame: ChannelFrame): void => {
    socket.pending += 1;
    socket.tail = socket.tail.then(async () => {
      await channels.handle(socket, frame);
      socket.pending -= 1;
      if (socket.pending === 0) socket.verified = undefined;
    });
  };

  const receiveFrame = (socket: LiveSocket, data: RawData, isBinary: boolean): void => {
    socket.receivedAt = nowMs();
    const frame = isBinary ? undefined : parseFrame(data.toString());
    if (!frame) disconnect(socket, closeCodes.unsupported, 'Malformed frame');
    else if (frame[2] === heartbeatTopic && frame[3] === 'heartbeat') sendFrame(socket, formatOkReply(frame));
    else if (socket.pending >= maxPendingFrames) disconnect(socket, closeCodes.policy, 'Too many frames');
    else enqueue(socket, frame);
  };

  const acceptSocket = (webSocket: WebSocket, slot: ConnectionSlot): void => {
    const socket = createLiveSocket(webSocket, slot, nowMs());
    socket.onSent = () => {
      if (!delivery.isPaused(socket) || isSocketBufferFull(socket)) return;
      socket.bufferFullSince = undefined;
      delivery.resume(socket);
    };
    sockets.add(socket);
    webSocket.on('message', (data, isBinary) => receiveFrame(socket, data, isBinary));
    // Ignore errors of the socket: the WebSocket library itself closes it after a malformed frame, for
    // example one that is too large.
    webSocket.on('error', () => {});
    webSocket.on('close', () => {
      delivery.forget(socket);
      sockets.delete(socket);
      if (sockets.size === 0) onAllClosed();
    });
  };

  const endSessions = (ids: readonly string[]): void => {
    if (ids.length === 0) return;
    for (const id of ids) endedSessions.set(id, nowMs());
    for (const socket of sockets) {
      const isAffected = socket.listeners.values().some(({ sessionId }) => ids.includes(sessionId));
      if (isAffected) disconnect(socket, closeCodes.policy, 'Session ended');
    }
  };

  const handleAnnouncement = (announcement: BusMessage): void => {
    if (announcement.kind === 'sessions_ended') endSessions(announcement.session_ids);
    else if (announcement.kind === 'notified') delivery.announceNotifications(announcement.user_ids);
    else if (announcement.kind === 'message' || announcement.kind === 'read') delivery.announce(announcement);
  };
  const isOverdue = ({ receivedAt, bufferFullSince }: LiveSocket, now: number): boolean =>
    now - receivedAt > silenceMs || now - (bufferFullSince ?? now) > silenceMs;

  /**
   * Closes a socket that exceeded a timeout; resumes delivery to a socket whose full buffer has
   * drained.
   */
  const inspectSocket = (socket: LiveSocket, now: number): void => {
    if (!delivery.isPaused(socket)) socket.bufferFullSince = undefined;
    else if (isSocketBufferFull(socket)) socket.bufferFullSince ??= now;
    else delivery.resume(socket);
    if (isOverdue(socket, now)) {
      socket.webSocket.terminate();
      return;
    }
    channels.expire(socket);
    const idleMs = now - (socket.idleSince ?? now);
    // A socket that is still waiting for the reply to its join is not idle. Replies can take long,
    // for example when all clients reconnect after a restart.
    const isIdle = socket.userId === undefined && socket.pending === 0;
    if (idleMs >= (isIdle ? firstFrameMs : silenceMs)) {
      disconnect(socket, closeCodes.policy, 'Nothing joined');
    }
  };

  /**
   * Polls the database for changes that were not published on the bus: undelivered messages and ended
   * sessions.
   */
  const reconcile = async (): Promise<void> => {
    await delivery.reconcile();
    const sessionIds = new Set(delivery.listeners().map(({ sessionId }) => sessionId));
    if (sessionIds.size > 0) endSessions(await listEndedSessions([...sessionIds]));
  };

  const sweep = async (): Promise<void> => {
    const now = nowMs();
    for (const socket of sockets) inspectSocket(socket, now);
    for (const [id, at] of endedSessions) if (now - at > endedSessionMemoryMs) endedSessions.delete(id);
    delivery.retry();
    if (now - reconciledAt < (bus.isDisconnected() ? disconnectedReconcileEveryMs : reconcileEveryMs)) return;
    reconciledAt = now;
    await reconcile();
  };

  let stop = () => {};
  const attach = (server: Server): void => {
    const upgrade = createUpgradeHandler({ ...deps, accept: acceptSocket, isClosing: () => isClosing });
    server.on('upgrade', (request, stream, head) => {
      // In development, Vite uses WebSockets on the same port; ignore upgrades to them here.
      if (isRealtimeUpgrade(request)) void upgrade(request, stream, head);
    });
    const unsubscribe = bus.subscribe(handleAnnouncement, channels.makeAllRejoin);
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
          onAllClosed = done;
          for (const socket of sockets) disconnect(socket, closeCodes.goingAway, 'Going away');
        });
      }
      await delivery.settled();
    },
  };
};
