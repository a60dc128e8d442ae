import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { hashPassword } from './accounts/passwords.ts';
import { buildApp } from './app.ts';
import type { Config } from './config.ts';
import { createMessageNews } from './conversations/notice-service.ts';
import { type DemoCampus, findDemoCampus, seedDemoCampus } from './demo/seed.ts';
import { createRateLimits, noRateLimits } from './http/rate-limits.ts';
import { createMailboxDelivery, createSmtpDelivery } from './mail/delivery.ts';
import { createOutbox, mailQueue, startPostman } from './mail/outbox.ts';
import { openBus } from './open-bus.ts';
import { openFiles } from './open-files.ts';
import { loadPagesBuild } from './pages/load-build.ts';
import { removalQueue } from './photos/removal.ts';
import { keepDuringBackup } from './platform/backup-guard.ts';
import { systemClock } from './platform/clock.ts';
import { openDatabase, openSearchDatabase } from './platform/database.ts';
import { startEmbeddedDatabase } from './platform/embedded-database.ts';
import { createImages } from './platform/images.ts';
import { startJobs } from './platform/jobs.ts';
import { migrateDatabase } from './platform/migrations.ts';
import { loadSecrets } from './platform/secrets.ts';

export interface RunningQuad {
  stop(): Promise<void>;
}

type Say = (line: string) => void;

const busyPort = (port: number): Error =>
  new Error(
    `Port ${port} is already in use. Choose another one with PORT, as in: PORT=${port + 1} npm start`,
  );

const canListen = ({ host, port }: Config): Promise<boolean> =>
  new Promise((done, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') done(false);
      else reject(new Error(`Cannot listen on HOST ${host} with PORT ${port}: ${error.message}`));
    });
    probe.listen(port, host, () => probe.close(() => done(true)));
  });

// Asked first of all, so that a second start says what is wrong and touches nothing. A server that was just told to
// stop gets a moment to leave.
const assertPortFree = async (config: Config): Promise<void> => {
  for (let patience = 10; !(await canListen(config)); patience -= 1) {
    if (patience === 0) throw busyPort(config.port);
    await delay(200);
  }
};

const welcome = (config: Config, demo: DemoCampus | undefined): string => {
  const lines = ['', `  ${config.campus.siteName} is ready at ${config.publicUrl}`];
  if (demo) {
    lines.push('', `  Demo accounts, all with the password ${demo.password}`);
    for (const { email, full_name } of demo.accounts) lines.push(`    ${email.padEnd(28)} ${full_name}`);
  }
  if (!config.smtpUrl && config.mailboxPage) {
    lines.push('', `  Mail is not sent but shown at http://localhost:${config.port}/dev/mail`);
  }
  return [...lines, ''].join('\n');
};

/** Starts the whole of Quad in this process and says, line by line, how far it is. */
export const startQuad = async (config: Config, say: Say): Promise<RunningQuad> => {
  await assertPortFree(config);
  const log = pino({ level: 'info' });
  const dataDir = resolve(config.dataDir);
  const closers: (() => unknown)[] = [];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };

  try {
    let databaseUrl = config.databaseUrl;
    if (databaseUrl === undefined) {
      const embedded = await startEmbeddedDatabase({ dataDir, log });
      closers.push(embedded.stop);
      databaseUrl = embedded.url;
    }
    await migrateDatabase({ databaseUrl, log });

    const clock = systemClock;
    const sql = openDatabase(databaseUrl);
    closers.push(() => sql.end({ timeout: 5 }));
    const searchSql = openSearchDatabase(databaseUrl, 4);
    closers.push(() => searchSql.end({ timeout: 5 }));
    const secrets = await loadSecrets(dataDir);
    const bus = await openBus(config, sql, log, { alone: config.databaseUrl === undefined });
    closers.push(bus.close);
    const images = createImages();
    closers.push(images.close);
    const store = await openFiles(config);
    closers.push(store.close);
    const files = keepDuringBackup(store.files, sql, log);

    const jobs = await startJobs(databaseUrl, [mailQueue, removalQueue], log);
    closers.push(jobs.stop);
    const delivery = config.smtpUrl
      ? createSmtpDelivery(config.smtpUrl, config.mailFrom, files)
      : createMailboxDelivery(sql, clock, say);
    closers.push(delivery.close);
    const { campus, publicUrl } = config;
    const news = createMessageNews(sql);
    await startPostman(jobs, { delivery, clock, pepper: secrets.pepper, campus, publicUrl, news });

    if (config.demo) {
      await seedDemoCampus({
        sql,
        files,
        clock,
        campus,
        passwordHash: hashPassword,
        begin: () => say('Drawing the demo campus ...'),
      });
    }
    const app = await buildApp({
      config,
      sql,
      searchSql,
      clock,
      secrets,
      bus,
      jobs,
      mailer: createOutbox(jobs, secrets.pepper),
      files,
      images,
      rateLimits: config.rateLimits ? createRateLimits(sql) : noRateLimits,
      log,
      pages: await loadPagesBuild(),
    });
    closers.push(() => app.close());
    await app.listen({ host: config.host, port: config.port });
    say(welcome(config, await findDemoCampus(sql, campus)));
    return { stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
