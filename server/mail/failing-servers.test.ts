import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { openDatabase, type Sql } from '#server/platform/postgres/database.ts';
import { createLog } from '#server/platform/process/log.ts';
import { createTestClock } from '#server/testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import { startTestMailWorker } from '#server/testing/mail-worker.ts';
import { createSmtpDelivery } from './delivery.ts';
import type { Mailer } from './mailer.ts';

/** Returns the SMTP server's reply to RCPT TO for an address, or undefined if it never replies. */
type GetRecipientReply = (to: string) => string | undefined;

/** Starts a minimal SMTP server that records offered and accepted recipients. */
const startSmtpServer = async (
  replyTo: GetRecipientReply,
  replyToEmail = (_email: string) => '250 stored',
) => {
  const offered: string[] = [];
  const accepted: string[] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    let to = '';
    let inEmail = false;
    let email = '';
    const send = (line: string) => socket.write(`${line}\r\n`);
    const handleLine = (line: string): void => {
      if (inEmail) {
        if (line !== '.') {
          email += `${line}\n`;
          return;
        }
        inEmail = false;
        accepted.push(to);
        send(replyToEmail(email));
      } else if (/^rcpt to/i.test(line)) {
        to = /<(.*)>/.exec(line)?.[1] ?? '';
        offered.push(to);
        const reply = replyTo(to);
        if (reply !== undefined) send(reply);
      } else if (/^data/i.test(line)) {
        inEmail = true;
        email = '';
        send('354 go on');
      } else send('250 fine');
    };
    let rest = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      const lines = (rest + chunk).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) handleLine(line);
    });
    send('220 mail.test');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    offered,
    accepted,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
};

let database: TestDatabase;
let sql: Sql;
let mailer: Mailer;
let stopMailWorker: () => Promise<void>;
let server: Awaited<ReturnType<typeof startSmtpServer>> | undefined;
let logOutput = '';
const log = createLog(
  {
    write: (line: string) => {
      logOutput += line;
    },
  },
  'trace',
);
const clock = createTestClock();

const formatExpiryInMinutes = (minutes: number) =>
  new Date(clock.now().getTime() + minutes * 60_000).toISOString();
const queueLoginCode = (to: string, expiresAt = formatExpiryInMinutes(10)) =>
  sql.begin((tx) => mailer.send(tx, { kind: 'login_code', to, code: '123456', expiresAt }));

const startServerAndWorker = async (
  replyTo: GetRecipientReply,
  timeouts = {},
  replyToEmail?: (email: string) => string,
) => {
  server = await startSmtpServer(replyTo, replyToEmail);
  const files = { read: async () => undefined };
  const delivery = createSmtpDelivery(
    `smtp://127.0.0.1:${server.port}`,
    { name: 'Quad', address: 'no-reply@usc.edu' },
    files,
    timeouts,
  );
  const mails = await startTestMailWorker(database.url, { delivery, clock, log });
  mailer = mails.mailer;
  stopMailWorker = mails.stop;
  return server;
};

beforeAll(async () => {
  database = await createTestDatabase();
  sql = openDatabase(database.url, { max: 2 });
});
afterEach(async () => {
  server?.close();
  await stopMailWorker();
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

test('promise 39: an email that is refused permanently is retried with growing delays and does not delay others', async () => {
  const { offered, accepted } = await startServerAndWorker((to) =>
    to.startsWith('gone') ? '550 no such mailbox' : '250 fine',
  );
  await Promise.all([1, 2, 3, 4, 5].map((number) => queueLoginCode(`gone-${number}@usc.edu`)));
  await queueLoginCode('ada@usc.edu');
  await vi.waitFor(() => expect(accepted).toEqual(['ada@usc.edu']), { timeout: 20_000 });
  const countAttempts = () => offered.filter((to) => to === 'gone-1@usc.edu').length;
  await vi.waitFor(() => expect(countAttempts()).toBeGreaterThan(1), { timeout: 15_000 });
  // The delays between delivery attempts must grow.
  const findLongestDelay = async (): Promise<number> => {
    const [longest] = await sql<{ seconds: number }[]>`
      SELECT coalesce(max(extract(epoch FROM start_after - started_on)), 0)::float AS seconds
      FROM pgboss.job WHERE state = 'retry'`;
    return longest?.seconds ?? 0;
  };
  await expect.poll(findLongestDelay, { timeout: 15_000 }).toBeGreaterThan(1);
});

test('promise 39: a server that never replies delays other emails no longer than the timeout', async () => {
  const { offered, accepted } = await startServerAndWorker(
    (to) => (to.startsWith('lost') ? undefined : '250 fine'),
    {
      socketTimeout: 1_000,
    },
  );
  await Promise.all([1, 2, 3].map((number) => queueLoginCode(`lost-${number}@usc.edu`)));
  await vi.waitFor(() => expect(offered.length).toBeGreaterThan(0), { timeout: 20_000 });
  await queueLoginCode('bo@usc.edu');
  await vi.waitFor(() => expect(accepted).toContain('bo@usc.edu'), { timeout: 12_000 });
});

test('promise 39: a code that expired while the server was unavailable is never sent', async () => {
  let isBusy = true;
  const { offered, accepted } = await startServerAndWorker(() => (isBusy ? '451 later' : '250 fine'));
  await queueLoginCode('late@usc.edu', formatExpiryInMinutes(1));
  await vi.waitFor(() => expect(offered).toContain('late@usc.edu'), { timeout: 20_000 });
  clock.advance(61);
  isBusy = false;
  await queueLoginCode('new@usc.edu');
  await vi.waitFor(() => expect(accepted).toContain('new@usc.edu'), { timeout: 20_000 });
  await vi.waitFor(
    async () => {
      const [open] =
        await sql`SELECT count(*) AS jobs FROM pgboss.job WHERE state IN ('retry', 'active', 'created')
        AND id IN (SELECT id FROM pgboss.job WHERE created_on > now() - interval '8 seconds')`;
      expect(open?.jobs).toBe(0);
    },
    { timeout: 20_000 },
  );
  expect(accepted).not.toContain('late@usc.edu');
});

test('promise 50: a refusal that quotes the email does not put its code or link in the log or the queue', async () => {
  const quote = (email: string) => {
    const seen = /^Subject: .*$|https:\S+(?:reset-password|appeal)\S+/gm;
    return `554 looks like spam: ${email.replaceAll('=\n', '').match(seen)?.join(' ')}`;
  };
  const { accepted } = await startServerAndWorker(() => '250 fine', {}, quote);
  const token = 'Zm9v-short-token';
  const appealToken = 'YmFy-appeal-token';
  await sql.begin((tx) =>
    mailer.send(tx, {
      kind: 'login_code',
      to: 'c@usc.edu',
      code: '481516',
      expiresAt: formatExpiryInMinutes(10),
    }),
  );
  await sql.begin((tx) =>
    mailer.send(tx, { kind: 'reset_link', to: 'r@usc.edu', token, expiresAt: formatExpiryInMinutes(10) }),
  );
  await sql.begin((tx) =>
    mailer.send(tx, {
      kind: 'decision_made',
      to: 'd@usc.edu',
      title: 'You were warned',
      text: 'Reason: Spam',
      appealToken,
    }),
  );
  const recipients = ['c@usc.edu', 'r@usc.edu', 'd@usc.edu'];
  await vi.waitFor(() => expect(accepted).toEqual(expect.arrayContaining(recipients)), { timeout: 10_000 });
  await expect.poll(() => logOutput.match(/looks like spam/g)?.length).toBeGreaterThanOrEqual(3);
  const listRetried = () => sql`SELECT output FROM pgboss.job WHERE state = 'retry'`;
  await expect.poll(async () => (await listRetried()).length).toBeGreaterThanOrEqual(3);
  for (const { output } of await listRetried()) expect(output).toBeNull();
  expect(logOutput).toContain('[removed]');
  for (const secret of ['481516', token, appealToken]) expect(logOutput).not.toContain(secret);
});
