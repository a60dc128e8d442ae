import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect } from 'vitest';
import type { Message } from '#contract/conversations.ts';
import type { App } from '#server/app.ts';
import { markMessagesRead, sendMessage } from '#server/features/conversations/public.ts';
import { type Bus, createInProcessBus } from '#server/platform/bus/bus.ts';
import { addSeconds, type Clock } from '#server/platform/clock.ts';
import { openDatabase, type Sql } from '#server/platform/postgres/database.ts';
import type { SessionVerifier } from '#server/platform/process/request-context.ts';
import { isRealtimeUpgrade } from '#server/realtime/admission.ts';
import {
  type ConnectionLimits,
  type ConnectionQuotas,
  createConnectionLimits,
} from '#server/realtime/connection-limits.ts';
import { createRealtimeService, type RealtimeOptions } from '#server/realtime/realtime.ts';
import { createTestClock } from './clock.ts';
import { createTestDatabase } from './database.ts';
import { getListeningPort, openRawSocket, type RawSocket } from './raw-socket.ts';
import { createStubApp } from './stub-app.ts';

/** Returns the numbers from 1 to `count`. */
export const listNumbersUpTo = (count: number): number[] =>
  Array.from({ length: count }, (_, index) => index + 1);

/** Returns the `seq` values of the messages that a socket has received, in order of arrival. */
export const listReceivedSeqs = ({ frames }: RawSocket): number[] =>
  frames.filter(([, , , event]) => event === 'message').map(([, , , , message]) => (message as Message).seq);

/** The end of the statement that counts a person's unread messages in all conversations. */
const unreadTotalStatementEnd = ') AS total';

const isUnreadTotal = (parts: TemplateStringsArray): boolean =>
  parts.at(-1)?.endsWith(unreadTotalStatementEnd) ?? false;

/**
 * Wraps a connection pool, so that statements are recorded, and that they fail, and counting unread messages waits, while
 * `faults` says so.
 */
const addFaults = (sql: Sql, faults: Pick<Faults, 'unreadable' | 'onCount' | 'statements'>): Sql =>
  new Proxy(sql, {
    apply: (target, self, parts) => {
      faults.statements.push(parts[0].join('…'));
      if (faults.unreadable) throw new Error('The database does not answer');
      const run = () => Reflect.apply(target, self, parts);
      return isUnreadTotal(parts[0]) ? faults.onCount().then(run) : run();
    },
  });

/** Failures and callbacks that a test can set while the server runs. */
const createFaults = () => ({
  unreadable: false,
  disconnected: false,
  /** The texts of the statements that live delivery has sent. */
  statements: [] as string[],
  ended: new Set<string>(),
  onAuthenticate: async () => {},
  onCount: async () => {},
  notifyGap: () => {},
});
type Faults = ReturnType<typeof createFaults>;

/** Returns an App that is connected to `bus`, and whose bus and database fail while `faults` says so. */
const withFaults = (app: App, bus: Bus, faults: Faults): App => ({
  ...app,
  sql: addFaults(app.sql, faults),
  bus: {
    ...bus,
    isDisconnected: () => faults.disconnected || bus.isDisconnected(),
    subscribe: (listener, onGap) => {
      faults.notifyGap = onGap ?? faults.notifyGap;
      return bus.subscribe(listener, onGap);
    },
  },
});

/** Creates the authentication by tokens that name a user and, after a slash, a session. */
const createAuthentication = (clock: Clock, faults: Faults) => {
  const presentedTokens: string[] = [];
  const authenticate: SessionVerifier = async (token) => {
    presentedTokens.push(token);
    await faults.onAuthenticate();
    const [userId = '', sessionId = userId] = token.split('/');
    const expiresAt = addSeconds(clock.now(), sessionId === 'old' ? 30 : 3600);
    return userId === 'nobody' ? undefined : { userId, sessionId, expiresAt };
  };
  return { authenticate, presentedTokens };
};

const insertConversation = async (sql: Sql, now: Date) => {
  const [buyer, seller, conversation] = [randomUUID(), randomUUID(), randomUUID()];
  for (const id of [buyer, seller]) {
    await sql`INSERT INTO users (id, email, created_at, updated_at)
      VALUES (${id}, ${`${id}@usc.edu`}, ${now}, ${now})`;
  }
  await sql`INSERT INTO conversations (id, listing_title, buyer_id, seller_id, created_at, updated_at)
    VALUES (${conversation}, 'Solid oak desk', ${buyer}, ${seller}, ${now}, ${now})`;
  return { buyer, seller, conversation, topic: `conversation:${conversation}` };
};

/** Starts an HTTP server of its own for live delivery. */
const startDelivery = async (app: App, options: RealtimeOptions) => {
  const server = createServer({ shouldUpgradeCallback: isRealtimeUpgrade });
  const realtime = createRealtimeService(app, { ...options, timings: { sweepEveryMs: 3_600_000 } });
  realtime.attach(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = getListeningPort(server);
  return {
    realtime,
    port,
    open: () => openRawSocket(port),
    /**
     * Waits for the message with seq `count` and expects that messages 1 to `count` have each arrived
     * exactly once, in order.
     */
    expectAllReceived: async (socket: RawSocket, count: number): Promise<void> => {
      await socket.waitFor(
        ([, , , event, payload]) => event === 'message' && (payload as Message).seq === count,
      );
      await realtime.settled();
      await socket.heartbeat();
      expect(listReceivedSeqs(socket)).toEqual(listNumbersUpTo(count));
    },
    stop: async () => {
      await realtime.close();
      server.close();
    },
  };
};

/**
 * Starts live delivery on a real database with a buyer, a seller and one conversation. Periodic sweeps are
 * off; tests trigger them. The id of a user serves as the user's access token; a session id may follow it
 * (`id/session`). A token with the session id `old` expires after 30 seconds.
 */
export const startRealtimeServer = async () => {
  const database = await createTestDatabase();
  const sql = openDatabase(database.url, { max: 6 });
  const clock = createTestClock();
  const bus = createInProcessBus();
  const now = clock.now();
  const { buyer, seller, conversation, topic } = await insertConversation(sql, now);
  const faults = createFaults();
  const { authenticate, presentedTokens } = createAuthentication(clock, faults);
  const app = createStubApp({ sql, clock, bus });

  /**
   * Simulates another server process: starts a second server in this process, connected to
   * `throughBus`.
   */
  const startProcess = async (
    throughBus: Bus,
    {
      trustProxy = [],
      connectionLimits,
      ...quotas
    }: Partial<ConnectionQuotas> & { trustProxy?: string[]; connectionLimits?: ConnectionLimits } = {},
  ) => {
    const processApp = withFaults({ ...app, config: { ...app.config, trustProxy } }, throughBus, faults);
    const delivery = await startDelivery(processApp, {
      authenticate,
      listEndedSessions: async (ids) => ids.filter((id) => faults.ended.has(id)),
      connectionLimits: connectionLimits ?? createConnectionLimits(quotas),
    });
    return {
      ...delivery,
      /** Opens a socket and joins the conversation's topic, by default as the buyer. */
      listen: async (payload: object = {}): Promise<RawSocket> => {
        const socket = await delivery.open();
        const reply = await socket.join(topic, { access_token: buyer, ...payload });
        expect(reply).toMatchObject({ status: 'ok' });
        return socket;
      },
    };
  };

  const first = await startProcess(bus);
  return {
    ...first,
    statements: faults.statements,
    ...{ app, sql, clock, bus, buyer, seller, conversation, topic, faults, presentedTokens, startProcess },
    /** Sends a message as the seller and publishes it on `throughBus`. */
    send: (text: string, throughBus: Bus = bus) =>
      sendMessage(
        { ...app, bus: throughBus },
        { id: conversation, userId: seller, clientId: randomUUID(), text },
      ),
    markRead: (seq: number) => markMessagesRead(app, { id: conversation, userId: buyer, seq }),
    /** Inserts messages without publishing them on the bus. */
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
