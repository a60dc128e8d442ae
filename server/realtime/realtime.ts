import type { Server } from 'node:http';
import type { RawData, WebSocket } from 'ws';
import {
  type BusMessage,
  type ChannelFrame,
  joinTimeoutSeconds,
  socketTimeoutSeconds,
} from '#contract/realtime.ts';
import type { App } from '#server/app.ts';
import type { SessionVerifier } from '#server/platform/process/request-context.ts';
import { createUpgradeHandler, isRealtimeUpgrade } from './admission.ts';
import { type Channels, closeExpiredChannels, handleFrame, makeAllRejoin } from './channels.ts';
import type { ConnectionLimits, ConnectionSlot } from './connection-limits.ts';
import {
  createLiveDelivery,
  deliverAnnounced,
  deliverMissedMessages,
  deliverNotificationCounts,
  forgetSocket,
  isDeliveryPaused,
  type LiveDelivery,
  listListeners,
  resumeDelivery,
  retryDeliveries,
  settleDeliveries,
} from './delivery.ts';
import { formatOkReply, parseFrame } from './frames.ts';
import { createLiveSocket, isSocketBufferFull, type LiveSocket, sendFrame } from './live-socket.ts';
import { deliverTyping } from './typing.ts';

/** Intervals and timeouts in ms. */
interface RealtimeTimings {
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

const usualTimings: RealtimeTimings = {
  firstFrameMs: joinTimeoutSeconds * 1000,
  silenceMs: socketTimeoutSeconds * 1000,
  sweepEveryMs: 1000,
  reconcileEveryMs: 10_000,
  disconnectedReconcileEveryMs: 2000,
};

export interface RealtimeOptions {
  authenticate: SessionVerifier;
  /** Returns the ids of the given sessions that have ended, according to the database. */
  listEndedSessions: (ids: readonly string[]) => Promise<string[]>;
  connectionLimits: ConnectionLimits;
  timings?: Partial<RealtimeTimings>;
}

export interface RealtimeService {
  /** Accepts sockets on an HTTP server and delivers messages to them until `close`. */
  attach(server: Server): void;
  /**
   * Closes sockets that exceeded a timeout and continues deliveries that were paused or failed.
   * Runs automatically every `sweepEveryMs`.
   */
  sweep(): Promise<void>;
  size(): number;
  /** Resolves when no delivery is in progress. */
  settled(): Promise<void>;
  /** Closes every socket with 1001 and accepts no new ones; resolves when all are closed. */
  close(): Promise<void>;
}

/** The state of live delivery in this process. Times are in milliseconds on the monotonic clock. */
interface Realtime {
  readonly app: App;
  readonly options: RealtimeOptions;
  readonly timings: RealtimeTimings;
  readonly sockets: Set<LiveSocket>;
  readonly delivery: LiveDelivery;
  readonly channels: Channels;
  /** When the sessions ended that have ended recently, by their id. */
  readonly endedSessions: Map<string, number>;
  /** When the database was last polled for changes whose bus message was lost. */
  reconciledAt: number;
  isClosing: boolean;
  onAllClosed: () => void;
  /** Ends the subscription to the bus and the timer. */
  stop: () => void;
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

/** Closes a socket. Delivery to it stops immediately, however long the closing handshake takes. */
const disconnect = ({ delivery }: Realtime, socket: LiveSocket, code: number, reason: string): void => {
  forgetSocket(delivery, socket);
  socket.webSocket.close(code, reason);
};

// Frames of a socket are processed sequentially, so that a leave cannot overtake its join.
const enqueue = ({ channels }: Realtime, socket: LiveSocket, frame: ChannelFrame): void => {
  socket.pending += 1;
  socket.tail = socket.tail.then(async () => {
    await handleFrame(channels, socket, frame);
    socket.pending -= 1;
    if (socket.pending === 0) socket.verified = undefined;
  });
};

const receiveFrame = (realtime: Realtime, socket: LiveSocket, data: RawData, isBinary: boolean): void => {
  socket.receivedAt = realtime.app.clock.elapsed();
  const frame = isBinary ? undefined : parseFrame(data.toString());
  if (!frame) disconnect(realtime, socket, closeCodes.unsupported, 'Malformed frame');
  else if (frame[2] === heartbeatTopic && frame[3] === 'heartbeat') sendFrame(socket, formatOkReply(frame));
  else if (socket.pending >= maxPendingFrames)
    disconnect(realtime, socket, closeCodes.policy, 'Too many frames');
  else enqueue(realtime, socket, frame);
};

const acceptSocket = (realtime: Realtime, webSocket: WebSocket, slot: ConnectionSlot): void => {
  const { app, delivery, sockets } = realtime;
  const socket = createLiveSocket(webSocket, slot, app.clock.elapsed());
  socket.onSent = () => {
    if (!isDeliveryPaused(delivery, socket) || isSocketBufferFull(socket)) return;
    socket.bufferFullSince = undefined;
    resumeDelivery(delivery, socket);
  };
  sockets.add(socket);
  webSocket.on('message', (data, isBinary) => receiveFrame(realtime, socket, data, isBinary));
  // Ignore errors of the socket: the WebSocket library itself closes it after a malformed frame, for
  // example one that is too large.
  webSocket.on('error', () => {});
  webSocket.on('close', () => {
    forgetSocket(delivery, socket);
    sockets.delete(socket);
    if (sockets.size === 0) realtime.onAllClosed();
  });
};

const endSessions = (realtime: Realtime, ids: readonly string[]): void => {
  if (ids.length === 0) return;
  for (const id of ids) realtime.endedSessions.set(id, realtime.app.clock.elapsed());
  for (const socket of realtime.sockets) {
    const isAffected = socket.listeners.values().some(({ sessionId }) => ids.includes(sessionId));
    if (isAffected) disconnect(realtime, socket, closeCodes.policy, 'Session ended');
  }
};

const handleAnnouncement = (realtime: Realtime, announcement: BusMessage): void => {
  const { delivery } = realtime;
  if (announcement.kind === 'sessions_ended') endSessions(realtime, announcement.session_ids);
  else if (announcement.kind === 'typing') deliverTyping(delivery, announcement);
  else if (announcement.kind === 'notified') deliverNotificationCounts(delivery, announcement.user_ids);
  else if ('conversation_id' in announcement) deliverAnnounced(delivery, announcement);
};

const isOverdue = (
  { timings }: Realtime,
  { receivedAt, bufferFullSince }: LiveSocket,
  now: number,
): boolean => now - receivedAt > timings.silenceMs || now - (bufferFullSince ?? now) > timings.silenceMs;

/**
 * Closes a socket that exceeded a timeout; resumes delivery to a socket whose full buffer has
 * drained.
 */
const inspectSocket = (realtime: Realtime, socket: LiveSocket, now: number): void => {
  const { delivery, channels, timings } = realtime;
  if (!isDeliveryPaused(delivery, socket)) socket.bufferFullSince = undefined;
  else if (isSocketBufferFull(socket)) socket.bufferFullSince ??= now;
  else resumeDelivery(delivery, socket);
  if (isOverdue(realtime, socket, now)) {
    socket.webSocket.terminate();
    return;
  }
  closeExpiredChannels(channels, socket);
  const idleMs = now - (socket.idleSince ?? now);
  // A socket that is still waiting for the reply to its join is not idle. Replies can take long,
  // for example when all clients reconnect after a restart.
  const isIdle = socket.userId === undefined && socket.pending === 0;
  if (idleMs >= (isIdle ? timings.firstFrameMs : timings.silenceMs)) {
    disconnect(realtime, socket, closeCodes.policy, 'Nothing joined');
  }
};

/**
 * Polls the database for changes that were not published on the bus: undelivered messages and ended
 * sessions.
 */
const reconcile = async (realtime: Realtime): Promise<void> => {
  const { delivery, options } = realtime;
  await deliverMissedMessages(delivery);
  const sessionIds = new Set(listListeners(delivery).map(({ sessionId }) => sessionId));
  if (sessionIds.size > 0) endSessions(realtime, await options.listEndedSessions([...sessionIds]));
};

const sweep = async (realtime: Realtime): Promise<void> => {
  const { app, sockets, endedSessions, delivery, timings } = realtime;
  const now = app.clock.elapsed();
  for (const socket of sockets) inspectSocket(realtime, socket, now);
  for (const [id, at] of endedSessions) if (now - at > endedSessionMemoryMs) endedSessions.delete(id);
  retryDeliveries(delivery);
  const interval = app.bus.isDisconnected() ? timings.disconnectedReconcileEveryMs : timings.reconcileEveryMs;
  if (now - realtime.reconciledAt < interval) return;
  realtime.reconciledAt = now;
  await reconcile(realtime);
};

const attach = (realtime: Realtime, server: Server): void => {
  const { app, options, channels, timings } = realtime;
  const upgrade = createUpgradeHandler(app, {
    connectionLimits: options.connectionLimits,
    accept: (webSocket, slot) => acceptSocket(realtime, webSocket, slot),
    isClosing: () => realtime.isClosing,
  });
  server.on('upgrade', (request, stream, head) => {
    // In development, Vite uses WebSockets on the same port; ignore upgrades to them here.
    if (isRealtimeUpgrade(request)) void upgrade(request, stream, head);
  });
  const unsubscribe = app.bus.subscribe(
    (message) => handleAnnouncement(realtime, message),
    () => makeAllRejoin(channels),
  );
  const timer = setInterval(() => {
    sweep(realtime).catch((error: unknown) =>
      app.log.warn({ err: error }, 'Live delivery could not be checked'),
    );
  }, timings.sweepEveryMs);
  timer.unref();
  realtime.stop = () => {
    clearInterval(timer);
    unsubscribe();
  };
};

const close = async (realtime: Realtime): Promise<void> => {
  const { sockets, delivery } = realtime;
  realtime.isClosing = true;
  realtime.stop();
  if (sockets.size > 0) {
    await new Promise<void>((done) => {
      realtime.onAllClosed = done;
      for (const socket of sockets) disconnect(realtime, socket, closeCodes.goingAway, 'Going away');
    });
  }
  await settleDeliveries(delivery);
};

/** Creates the service that delivers messages live over Phoenix channels on WebSockets. */
export const createRealtimeService = (app: App, options: RealtimeOptions): RealtimeService => {
  const delivery = createLiveDelivery(app);
  const endedSessions = new Map<string, number>();
  const hasEnded = (sessionId: string) => endedSessions.has(sessionId);
  const realtime: Realtime = {
    app,
    options,
    timings: { ...usualTimings, ...options.timings },
    sockets: new Set(),
    delivery,
    channels: { authenticate: options.authenticate, delivery, hasEnded },
    endedSessions,
    reconciledAt: app.clock.elapsed(),
    isClosing: false,
    onAllClosed: () => {},
    stop: () => {},
  };
  return {
    attach: (server) => attach(realtime, server),
    sweep: () => sweep(realtime),
    size: () => realtime.sockets.size,
    settled: () => settleDeliveries(delivery),
    close: () => close(realtime),
  };
};
