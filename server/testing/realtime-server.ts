import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect } from 'vitest';
import type { Message } from '#contract/conversations.ts';
import { createConversations } from '#server/conversations/service.ts';
import { type Bus, createProcessBus } from '#server/platform/bus/bus.ts';
import { secondsAfter } from '#server/platform/clock.ts';
import { openDatabase } from '#server/platform/postgres/database.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { isRealtimeUpgrade } from '#server/realtime/admission.ts';
import { attachRealtime } from '#server/realtime/attach.ts';
import {
  type ConnectionBounds,
  type ConnectionLimits,
  createConnectionLimits,
} from '#server/realtime/connection-limits.ts';
import { createTestClock } from './clock.ts';
import { createTestDatabase } from './database.ts';
import { openRaw, portOf, type RawSocket } from './raw-socket.ts';

export const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

/** The seqs of the messages a socket has heard, in the order it did. */
export const seqsOf = ({ frames }: RawSocket): number[] =>
  frames.filter(([, , , event]) => event === 'message').map(([, , , , message]) => (message as Message).seq);

/**
 * Live delivery on a real database between two people with one conversation; sweeping is done by hand. An access
 * token is the id of its person; a second part (`id/session`) tells sessions apart, and `id/old` runs out in 30 s.
 */
export const startRealtimeServer = async () => {
  const database = await createTestDatabase();
  const sql = openDatabase(database.url, { max: 6 });
  const clock = createTestClock();
  const bus = createProcessBus();
  const [buyer, seller, conversation] = [randomUUID(), randomUUID(), randomUUID()];
  const topic = `conversation:${conversation}`;
  const now = clock.now();
  for (const id of [buyer, seller]) {
    await sql`INSERT INTO users (id, email, created_at, updated_at)
      VALUES (${id}, ${`${id}@usc.edu`}, ${now}, ${now})`;
  }
  await sql`INSERT INTO conversations (id, listing_title, buyer_id, seller_id, created_at, updated_at)
    VALUES (${conversation}, 'Solid oak desk', ${buyer}, ${seller}, ${now}, ${now})`;

  /** What a test may switch while all is running. */
  const faults = {
    unreadable: false,
    deaf: false,
    ended: new Set<string>(),
    onAuthenticate: async () => {},
    onCount: async () => {},
    tellGap: () => {},
  };
  const presented: string[] = [];
  const authenticate = async (token: string) => {
    presented.push(token);
    await faults.onAuthenticate();
    const [userId = '', sessionId = userId] = token.split('/');
    const expiresAt = secondsAfter(clock.now(), sessionId === 'old' ? 30 : 3600);
    return userId === 'nobody' ? undefined : { userId, sessionId, expiresAt };
  };

  const serviceOn = (through: Bus) =>
    createConversations({ sql, clock, bus: through, mailer: { sendFirstMessage: async () => {} } });

  /** One process more, hearing of news by this bus. */
  const startProcess = async (
    through: Bus,
    {
      trustProxy = [],
      connectionLimits,
      ...bounds
    }: Partial<ConnectionBounds> & { trustProxy?: string[]; connectionLimits?: ConnectionLimits } = {},
  ) => {
    const conversations = serviceOn(through);
    const server = createServer({ shouldUpgradeCallback: isRealtimeUpgrade });
    const realtime = attachRealtime(
      server,
      {
        authenticate,
        conversations: {
          ...conversations,
          listAfter: async (...where) => {
            if (faults.unreadable) throw new Error('The database does not answer');
            return conversations.listAfter(...where);
          },
          countUnread: async (userId) => {
            await faults.onCount();
            return conversations.countUnread(userId);
          },
        },
        listEndedSessions: async (ids) => ids.filter((id) => faults.ended.has(id)),
        bus: {
          ...through,
          isDisconnected: () => faults.deaf || through.isDisconnected(),
          subscribe: (listener, onGap) => {
            faults.tellGap = onGap ?? faults.tellGap;
            return through.subscribe(listener, onGap);
          },
        },
        connectionLimits: connectionLimits ?? createConnectionLimits(bounds),
        clock,
        publicUrl: 'http://quad.test',
        trustProxy,
        log: silentLog,
      },
      { sweepEveryMs: 3_600_000 },
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const port = portOf(server);
    return {
      realtime,
      port,
      open: () => openRaw(port),
      /** A socket that has joined the conversation, as the buyer if the payload does not say otherwise. */
      listen: async (payload: object = {}): Promise<RawSocket> => {
        const socket = await openRaw(port);
        const reply = await socket.join(topic, { access_token: buyer, ...payload });
        expect(reply).toMatchObject({ status: 'ok' });
        return socket;
      },
      /** Waits for the message with this seq, and makes sure that each up to it was heard once and in order. */
      heardAll: async (socket: RawSocket, count: number): Promise<void> => {
        await socket.hear(([, , , event, it]) => event === 'message' && (it as Message).seq === count);
        await realtime.settled();
        await socket.heartbeat();
        expect(seqsOf(socket)).toEqual(upTo(count));
      },
      stop: async () => {
        await realtime.close();
        server.close();
      },
    };
  };

  const first = await startProcess(bus);
  return {
    ...first,
    ...{ sql, clock, bus, buyer, seller, conversation, topic, faults, presented, startProcess },
    /** The seller writes; announced through this bus. */
    send: (text: string, through: Bus = bus) =>
      serviceOn(through).send({ id: conversation, userId: seller, clientId: randomUUID(), text }),
    markRead: (seq: number) => serviceOn(bus).markRead({ id: conversation, userId: buyer, seq }),
    /** Writes messages past everything that announces them. */
    store: async (count: number, text = 'x'): Promise<void> => {
      await sql`
        INSERT INTO messages (conversation_id, seq, sender_id, client_id, message_text, created_at)
        SELECT id, last_seq + n, seller_id, gen_random_uuid(), ${text}, ${now}
        FROM conversations, generate_series(1, ${count}::int) AS n WHERE id = ${conversation}`;
      await sql`UPDATE conversations SET last_seq = last_seq + ${count} WHERE id = ${conversation}`;
    },
    stop: async () => {
      await first.stop();
      await sql.end();
      await database.drop();
    },
  };
};
