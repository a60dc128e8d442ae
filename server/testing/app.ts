import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type AppDeps, buildApp } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { noRateLimits } from '#server/http/rate-limits.ts';
import { createMailer, type Mailer } from '#server/mail/mailer.ts';
import type { Mail } from '#server/mail/mails.ts';
import { createProcessBus } from '#server/platform/bus/bus.ts';
import { createDiskFiles } from '#server/platform/files/files.ts';
import { createImages } from '#server/platform/images/images.ts';
import { openDatabase, openSearchDatabase, type Sql } from '#server/platform/postgres/database.ts';
import { makeSecrets } from '#server/platform/secrets.ts';
import { createTestClock, type TestClock } from './clock.ts';
import { createTestDatabase } from './database.ts';
import { createTestJobs, type TestJobs } from './jobs.ts';

export interface Person {
  userId: string;
  email: string;
  token: string;
  refreshToken: string;
  /** Headers of a request made by this person. */
  headers: { authorization: string };
}

export interface TestApp {
  app: FastifyInstance;
  sql: Sql;
  clock: TestClock;
  databaseUrl: string;
  /** Where its files are. */
  dataDir: string;
  jobs: TestJobs;
  /** Every mail handed to the mailer so far, decoys left out. */
  mails: Mail[];
  /** The newest code mailed to an address. */
  codeFor(email: string): string;
  /** Signs a new person up through the public calls and answers their session. */
  signIn(person?: { email?: string; fullName?: string; password?: string }): Promise<Person>;
  close(): Promise<void>;
}

/** The body of an answer that must be a success. */
export const insist = async (asked: Promise<{ statusCode: number; body: string }>) => {
  const { statusCode, body } = await asked;
  if (statusCode >= 400) throw new Error(`answered ${statusCode}: ${body}`);
  return JSON.parse(body);
};

export const testPassword = 'cardinal-and-gold-1';

/** The whole application on a database, a clock and a mailbox of its own; real everything else. */
export const startTestApp = async (
  options: {
    environment?: Record<string, string>;
    deps?: Partial<AppDeps>;
    /** Hears each statement that the application sends to PostgreSQL. */
    onStatement?: (statement: string) => void;
    /** Puts something else in the place of the list that mails are noted in. */
    mailer?: (listed: Mailer) => Mailer;
  } = {},
): Promise<TestApp> => {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'quad-app-'));
  const sql = openDatabase(database.url, { max: 12, onStatement: options.onStatement });
  const searchSql = openSearchDatabase(database.url, 2, options.onStatement);
  const clock = createTestClock();
  const jobs = createTestJobs();
  const images = options.deps?.images ?? createImages();
  const mails: Mail[] = [];
  const listed = createMailer(async (_tx, mail) => {
    if (!('decoy' in mail && mail.decoy)) mails.push(mail);
  });
  const config = readConfig({
    NODE_ENV: 'test',
    DATA_DIR: dataDir,
    PUBLIC_URL: 'http://quad.test',
    // A public server needs one; the mails themselves go into the list above.
    ...(options.environment?.PUBLIC_URL?.startsWith('https:') ? { SMTP_URL: 'smtp://mail.test' } : {}),
    ...options.environment,
  });
  const app = await buildApp({
    config,
    sql,
    searchSql,
    clock,
    jobs,
    secrets: makeSecrets(),
    bus: createProcessBus(),
    mailer: options.mailer?.(listed) ?? listed,
    files: createDiskFiles({ root: join(dataDir, 'files') }),
    images,
    rateLimits: noRateLimits,
    log: undefined,
    ...options.deps,
  });

  const post = (url: string, payload: object) => insist(app.inject({ method: 'POST', url, payload }));

  const codeFor = (email: string): string => {
    const mail = mails.findLast((candidate) => candidate.to === email && 'code' in candidate);
    if (!mail || !('code' in mail)) throw new Error(`No code was mailed to ${email}`);
    return mail.code;
  };

  const signIn: TestApp['signIn'] = async (person = {}) => {
    const email = person.email ?? `student-${randomBytes(6).toString('hex')}@usc.edu`;
    const { fullName = 'Sam Student', password = testPassword } = person;
    await post('/functions/v1/signup', { email, password, fullName });
    const { authPassword } = await post('/functions/v1/verify-otp', {
      email,
      code: codeFor(email),
      password,
    });
    const grant = await post('/auth/v1/token?grant_type=password', { email, password: authPassword });
    return {
      userId: grant.user.id,
      email,
      token: grant.access_token,
      refreshToken: grant.refresh_token,
      headers: { authorization: `Bearer ${grant.access_token}` },
    };
  };

  return {
    app,
    sql,
    clock,
    databaseUrl: database.url,
    dataDir,
    jobs,
    mails,
    codeFor,
    signIn,
    close: async () => {
      await app.close();
      images.close();
      await Promise.all([sql.end(), searchSql.end()]);
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};
