import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { App } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { createApp } from '#server/create-app.ts';
import { createHiddenPhotos } from '#server/features/photos/public.ts';
import type { Mail, Mailer } from '#server/mail/mailer.ts';
import { type Bus, createInProcessBus } from '#server/platform/bus/bus.ts';
import { createDiskFileStore } from '#server/platform/files/files.ts';
import { createImageProcessor } from '#server/platform/images/images.ts';
import { noRateLimits } from '#server/platform/no-rate-limits.ts';
import { openDatabase, type Sql } from '#server/platform/postgres/database.ts';
import { openSearchDatabase } from '#server/platform/postgres/search-database.ts';
import { json } from '#server/platform/postgres/sql-fragments.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { generateSecrets } from '#server/platform/secrets.ts';
import { buildServer, type ServerOptions } from '#server/start/http-server.ts';
import { campusSettings } from './campus-settings.ts';
import { createTestClock, type TestClock } from './clock.ts';
import { createTestDatabase } from './database.ts';
import { failOnUndocumentedErrors } from './documented-errors.ts';
import { createTestJobs, type TestJobs } from './jobs.ts';
import { insertPerson } from './people.ts';
import { testTables } from './tables.ts';
import { printUnexpectedErrors } from './unexpected-errors.ts';

export interface Person {
  userId: string;
  email: string;
  token: string;
  refreshToken: string;
  /** Request headers with the access token of this person. */
  headers: { authorization: string };
}

interface NewPerson {
  email?: string;
  fullName?: string;
  password?: string;
}

/** The whole application under test, with its database, clock, job queue and collected emails. */
export interface TestApp {
  app: App;
  server: FastifyInstance;
  sql: Sql;
  clock: TestClock;
  databaseUrl: string;
  /** Folder with the files that the application has stored. */
  dataDir: string;
  bus: Bus;
  jobs: TestJobs;
  /**
   * The emails of committed transactions so far, except decoys (see server/mail/mailer.ts), as of the last response or
   * job.
   */
  mails: Mail[];
  /** Adds the emails of transactions that the test itself has committed to `mails`. */
  collectMails(): Promise<void>;
  mailer: Mailer;
  /** Returns the code in the newest email to an address. Throws when there is none. */
  codeFor(email: string): string;
  signIn(person?: NewPerson): Promise<Person>;
  /** Signs up a new person and confirms the emailed code, all through the public API; returns their session. */
  signUp(person?: NewPerson): Promise<Person>;
  close(): Promise<void>;
}

/** Waits for a response and returns its parsed body; throws when the status is 400 or above. */
export const expectOk = async (pending: Promise<{ statusCode: number; body: string }>) => {
  const { statusCode, body } = await pending;
  if (statusCode >= 400) throw new Error(`status ${statusCode}: ${body}`);
  return JSON.parse(body);
};

export const toPersonFromTokenResponse = (
  email: string,
  grant: { user: { id: string }; access_token: string; refresh_token: string },
): Person => ({
  userId: grant.user.id,
  email,
  token: grant.access_token,
  refreshToken: grant.refresh_token,
  headers: { authorization: `Bearer ${grant.access_token}` },
});

export const testPassword = 'cardinal-and-gold-1';

/** Creates a mailer that stores emails in the caller's transaction, and collects those of committed transactions. */
const createMailCollector = (sql: Sql) => {
  const mails: Mail[] = [];
  let queuedCount = 0;
  let collectedCount = 0;
  const mailer: Mailer = {
    assertSending: () => {},
    send: async (tx, mail) => {
      queuedCount += 1;
      await tx`insert into testing.mail (content) values (${json(mail)})`;
    },
  };
  const collectMails = async (): Promise<void> => {
    if (collectedCount >= queuedCount) return;
    const committed = await sql<{ id: number; content: Mail }[]>`
      delete from testing.mail returning id, content`;
    collectedCount += committed.length;
    const sent = committed.sort((a, b) => a.id - b.id).map(({ content }) => content);
    mails.push(...sent.filter((mail) => !('decoy' in mail && mail.decoy)));
  };
  const codeFor = (email: string): string => {
    const mail = mails.findLast((candidate) => candidate.to === email && 'code' in candidate);
    if (!mail || !('code' in mail)) throw new Error(`No code was mailed to ${email}`);
    return mail.code;
  };
  return { mails, mailer, collectMails, codeFor };
};

/** Creates the functions that add people, whose sessions start through the public API. */
const createSignUps = (
  { sql, clock, config }: App,
  server: FastifyInstance,
  codeFor: TestApp['codeFor'],
): Pick<TestApp, 'signIn' | 'signUp'> => {
  const post = (url: string, payload: object) => expectOk(server.inject({ method: 'POST', url, payload }));
  const complete = ({
    email = `student-${randomBytes(6).toString('hex')}@usc.edu`,
    fullName = 'Sam Student',
    password = testPassword,
  }: NewPerson = {}) => ({ email, fullName, password });
  const startSession = async (email: string, authPassword: string): Promise<Person> =>
    toPersonFromTokenResponse(
      email,
      await post('/auth/v1/token?grant_type=password', { email, password: authPassword }),
    );
  return {
    signIn: async (person) => {
      const added = complete(person);
      return startSession(added.email, await insertPerson(sql, clock, config.campus, added));
    },
    signUp: async (person) => {
      const { email, fullName, password } = complete(person);
      await post('/functions/v1/signup', { email, password, fullName });
      const code = codeFor(email);
      const { authPassword } = await post('/functions/v1/verify-otp', { email, code, password });
      return startSession(email, authPassword);
    },
  };
};

/** Reads the configuration of a test application. */
const readTestConfig = (dataDir: string, environment: Record<string, string> = {}) =>
  readConfig({
    NODE_ENV: 'test',
    QUAD_DATA_DIR: dataDir,
    QUAD_PUBLIC_URL: 'http://quad.test',
    // The configuration requires QUAD_SMTP_URL and the campus for a public server. No mail server is contacted,
    // because `mails` collects all emails.
    ...(environment.QUAD_PUBLIC_URL?.startsWith('https:')
      ? { QUAD_SMTP_URL: 'smtp://mail.test', ...campusSettings }
      : {}),
    ...environment,
  });

/** Starts the whole application with its own database. Only the clock, the job queue and the mailer are test doubles. */
export const startTestApp = async (
  options: {
    environment?: Record<string, string>;
    /** Members of the App and options of the server that replace those of the test application. */
    replace?: Partial<Omit<App, 'jobs' | 'log'> & ServerOptions>;
    /**
     * Receives each SQL statement that the application sends to PostgreSQL, except the reads of hidden photos, which
     * each process makes in the background after a change.
     */
    onStatement?: (statement: string) => void;
    /**
     * Replaces the mailer of the application. `collecting` is the default, which collects emails in `mails`.
     */
    mailer?: (collecting: Mailer, jobs: TestJobs) => Mailer;
  } = {},
): Promise<TestApp> => {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'quad-app-'));
  const ownSql = openDatabase(database.url, { max: 12, onStatement: options.onStatement });
  const sql = options.replace?.sql ?? ownSql;
  const search = openSearchDatabase(database.url, { max: 2, onStatement: options.onStatement });
  const backgroundSql = options.onStatement && openDatabase(database.url, { max: 1 });
  const clock = createTestClock();
  if (options.replace?.sql) await sql.query(testTables);
  const appClock = options.replace?.clock ?? clock;
  const { mails, collectMails, codeFor, mailer: collectingMailer } = createMailCollector(sql);
  const queue = createTestJobs(sql, appClock);
  const jobs: TestJobs = {
    ...queue,
    runAll: () => queue.runAll().finally(collectMails),
    repeatNow: (name) => queue.repeatNow(name).finally(collectMails),
  };
  const images = options.replace?.images ?? createImageProcessor();
  const mailer = options.mailer?.(collectingMailer, jobs) ?? collectingMailer;
  const config = readTestConfig(dataDir, options.environment);
  const bus = options.replace?.bus ?? createInProcessBus();
  const app = createApp({
    config,
    sql,
    search: search.run,
    clock,
    jobs,
    secrets: generateSecrets(),
    bus,
    mail: mailer,
    files: createDiskFileStore({ root: join(dataDir, 'files') }),
    images,
    limits: noRateLimits,
    log: options.replace?.logger ?? silentLog,
    ...(backgroundSql && { hiddenPhotos: createHiddenPhotos({ sql: backgroundSql, clock: appClock, bus }) }),
    ...options.replace,
  });
  const server = buildServer(app, { jobs, ...options.replace });
  failOnUndocumentedErrors(server);
  printUnexpectedErrors(server);
  // When a response is sent, the transactions of its call have ended.
  server.addHook('onSend', collectMails);
  await server.ready();

  return {
    app,
    server,
    sql,
    clock,
    databaseUrl: database.url,
    dataDir,
    bus,
    jobs,
    mails,
    collectMails,
    mailer,
    codeFor,
    ...createSignUps(app, server, codeFor),
    close: async () => {
      await server.close();
      images.close();
      await Promise.all([ownSql.end(), search.sql.end(), backgroundSql?.end()]);
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};
