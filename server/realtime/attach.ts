import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import {
  type Announcement,
  type Frame,
  firstFrameSeconds,
  maxFrameBytes,
  silenceSeconds,
} from '#contract/realtime.ts';
import type { Conversations } from '#server/conversations/service.ts';
import type { Authenticate } from '#server/http/sessions.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Log } from '#server/platform/process/log.ts';
import { addressOf, isOriginWelcome, isRealtimeUpgrade, refuse, speaksOurVersion } from './admission.ts';
import { createChannels } from './channels.ts';
import type { ConnectionLimits, ConnectionSlot } from './connection-limits.ts';
import { createDelivery } from './delivery.ts';
import { acceptance, readFrame } from './frames.ts';
import { createLiveSocket, isFull, type LiveSocket, send } from './live-socket.ts';

export interface RealtimeDeps {
  authenticate: Authenticate;
  /** Those of the named sessions that have ended. */
  listEndedSessions: (ids: readonly string[]) => Promise<string[]>;
  conversations: Conversations;
  connectionLimits: ConnectionLimits;
  bus: Bus;
  clock: Clock;
  /** Pages of this address may connect. */
  publicUrl: string;
  /** Addresses or networks of proxies whose forwarded headers are believed. */
  trustProxy: string[];
  log: Log;
}

/** All in ms. */
export interface RealtimeTimes {
  /** A socket that joined nothing by then is closed. */
  firstFrameMs: number;
  /** A socket silent for longer is cut off. */
  silenceMs: number;
  sweepEveryMs: number;
  /** How often the database is asked for what no announcement told of. */
  reconcileEveryMs: number;
  /** The same while the bus is deaf, so that it is seconds in any case. */
  disconnectedReconcileEveryMs: number;
}

export interface Realtime {
  /** Ends what is overdue and goes on with what is due, by the clock; done by itself every `sweepEveryMs`. */
  sweep(): Promise<void>;
  /** How many sockets are open. */
  size(): number;
  /** Resolves when nothing is being delivered. */
  settled(): Promise<void>;
  /** Closes every socket with 1001 and takes no more; resolves when all are gone. */
  close(): Promise<void>;
}

/** WebSocket close codes (RFC 6455, 7.4.1). */
const closeCode = { goingAway: 1001, unsupported: 1003, policy: 1008 } as const;
const framesPending = 200;
const longestLoggedOrigin = 200;
/** How long a peer may take to say goodbye. */
const farewellMs = 2000;
/** How long an ended session is remembered, so that a join under way at that moment does not outlive it. */
const endedMs = 60_000;
/** The topic of the socket itself: heartbeats go there. */
const socketTopic = 'phoenix';

/** Serves the channels of live messages on the sockets of an HTTP server. */
export const attachRealtime = (
  server: Server,
  deps: RealtimeDeps,
  times: Partial<RealtimeTimes> = {},
): Realtime => {
  const {
    authenticate,
    listEndedSessions,
    conversations,
    connectionLimits,
    bus,
    clock,
    publicUrl,
    trustProxy,
    log,
  } = deps;
  const { firstFrameMs = firstFrameSeconds * 1000, silenceMs = silenceSeconds * 1000 } = times;
  const { sweepEveryMs = 1000, reconcileEveryMs = 10_000, disconnectedReconcileEveryMs = 2000 } = times;
  const nowMs = () => clock.elapsed();
  const options: ServerOptions & { closeTimeout: number } = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: maxFrameBytes,
    closeTimeout: farewellMs,
  };
  const handshakes = new WebSocketServer(options);
  const sockets = new Set<LiveSocket>();
  const ended = new Map<string, number>();
  const delivery = createDelivery({ conversations, log });
  const hasEnded = (sessionId: string) => ended.has(sessionId);
  const channels = createChannels({ authenticate, conversations, delivery, hasEnded, clock, log });
  const clientAddress = addressOf(trustProxy);
  let isClosing = false;
  let onEmpty = () => {};
  let reconciledAt = nowMs();

  /** Nothing is delivered any more from here on, however long the goodbye takes. */
  const hangUp = (socket: LiveSocket, code: number, reason: string): void => {
    delivery.forget(socket);
    socket.wire.close(code, reason);
  };

  // One after the other: a leave may not overtake its join.
  const enqueue = (socket: LiveSocket, frame: Frame): void => {
    socket.pending += 1;
    socket.tail = socket.tail.then(async () => {
      await channels.handle(socket, frame);
      socket.pending -= 1;
      if (socket.pending === 0) socket.proof = undefined;
    });
  };

  const receive = (socket: LiveSocket, data: RawData, isBinary: boolean): void => {
    socket.heardAt = nowMs();
    const frame = isBinary ? undefined : readFrame(data.toString());
    if (!frame) hangUp(socket, closeCode.unsupported, 'Malformed frame');
    else if (frame[2] === socketTopic && frame[3] === 'heartbeat') send(socket, acceptance(frame));
    else if (socket.pending >= framesPending) hangUp(socket, closeCode.policy, 'Too many frames');
    else enqueue(socket, frame);
  };

  const welcome = (wire: WebSocket, slot: ConnectionSlot): void => {
    const socket = createLiveSocket(wire, slot, nowMs());
    socket.onSent = () => {
      if (!delivery.isPaused(socket) || isFull(socket)) return;
      socket.behindSince = undefined;
      delivery.resume(socket);
    };
    sockets.add(socket);
    wire.on('message', (data, isBinary) => receive(socket, data, isBinary));
    // What is wrong with the bytes (too large, no text) the library answers with its close code itself.
    wire.on('error', () => {});
    wire.on('close', () => {
      delivery.forget(socket);
      sockets.delete(socket);
      if (sockets.size === 0) onEmpty();
    });
  };

  /** Goes on with a wish for a socket that has its place; whatever ends the connection gives it back. */
  const acquireSlot = (
    slot: ConnectionSlot,
    request: IncomingMessage,
    stream: Duplex,
    head: Buffer,
  ): void => {
    if (stream.closed) {
      slot.leave();
      return;
    }
    stream.once('close', slot.leave);
    if (isClosing) refuse(stream, 503);
    else handshakes.handleUpgrade(request, stream, head, (wire) => welcome(wire, slot));
  };

  const upgrade = async (request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> => {
    // A peer may hang up before the upgrade is done.
    stream.on('error', () => {});
    if (!isOriginWelcome(request.headers, publicUrl)) {
      // Usually a PUBLIC_URL that is not the address visitors use.
      const origin = request.headers.origin?.slice(0, longestLoggedOrigin);
      log.warn({ origin, expected: new URL(publicUrl).origin }, 'socket refused: foreign origin');
      refuse(stream, 403);
    } else if (!speaksOurVersion(request)) refuse(stream, 400);
    else if (isClosing) refuse(stream, 503);
    else {
      try {
        const slot = await connectionLimits.enter(clientAddress(request));
        if (slot) acquireSlot(slot, request, stream, head);
        else refuse(stream, 429);
      } catch (error) {
        log.warn({ err: error }, 'A socket could not be given a place');
        refuse(stream, 503);
      }
    }
  };
  server.on('upgrade', (request, stream, head) => {
    // In development another socket shares the port.
    if (isRealtimeUpgrade(request)) void upgrade(request, stream, head);
  });

  const endSessions = (ids: readonly string[]): void => {
    if (ids.length === 0) return;
    for (const id of ids) ended.set(id, nowMs());
    for (const socket of sockets) {
      const isTheirs = socket.listeners.values().some(({ sessionId }) => ids.includes(sessionId));
      if (isTheirs) hangUp(socket, closeCode.policy, 'Session ended');
    }
  };

  const hear = (announcement: Announcement): void => {
    if (announcement.kind === 'sessions_ended') endSessions(announcement.session_ids);
    else if (announcement.kind !== 'pages_changed') delivery.announce(announcement);
  };
  const stopHearing = bus.subscribe(hear, channels.startOver);

  const isOverdue = ({ heardAt, behindSince }: LiveSocket, now: number): boolean =>
    now - heardAt > silenceMs || now - (behindSince ?? now) > silenceMs;

  /** Ends a socket that is overdue in any way, and goes on with one that has caught its breath. */
  const inspect = (socket: LiveSocket, now: number): void => {
    if (!delivery.isPaused(socket)) socket.behindSince = undefined;
    else if (isFull(socket)) socket.behindSince ??= now;
    else delivery.resume(socket);
    if (isOverdue(socket, now)) {
      socket.wire.terminate();
      return;
    }
    channels.expire(socket);
    const idleMs = now - (socket.idleSince ?? now);
    // A join that waits for its answer, as when everyone comes back after a restart, is no idleness.
    const isIdle = socket.account === undefined && socket.pending === 0;
    if (idleMs >= (isIdle ? firstFrameMs : silenceMs)) {
      hangUp(socket, closeCode.policy, 'Nothing joined');
    }
  };

  /** Finds in the database what no announcement told of: messages that somebody lacks, and ended sessions. */
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
  const timer = setInterval(() => {
    sweep().catch((error: unknown) => log.warn({ err: error }, 'Live delivery could not be checked'));
  }, sweepEveryMs);
  timer.unref();

  return {
    sweep,
    size: () => sockets.size,
    settled: delivery.settled,
    close: async () => {
      isClosing = true;
      clearInterval(timer);
      stopHearing();
      if (sockets.size > 0) {
        await new Promise<void>((done) => {
          onEmpty = done;
          for (const socket of sockets) hangUp(socket, closeCode.goingAway, 'Going away');
        });
      }
      await delivery.settled();
    },
  };
};
