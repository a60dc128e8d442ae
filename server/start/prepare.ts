import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { defaultCampus } from '#contract/campus.ts';
import type { Config } from '#server/config.ts';
import { listDemoAccounts, revokeDemoRoles } from '#server/demo/remove.ts';
import { type DemoLogins, findDemoLogins, seedDemoCampus } from '#server/demo/seed.ts';
import { addDefaultMeetingSpots, listForeignMeetingSpots } from '#server/features/handovers/public.ts';
import { builtClientFolder } from '#server/pages/load-build.ts';
import { startBuildPublishing } from '#server/pages/published-builds.ts';
import { systemClock } from '#server/platform/clock.ts';
import { restrictToOwner } from '#server/platform/files/owner-only.ts';
import { createImageProcessor } from '#server/platform/images/images.ts';
import { hashPassword } from '#server/platform/passwords.ts';
import { watchClockSkew } from '#server/platform/postgres/clock-check.ts';
import { openDatabase, type Sql } from '#server/platform/postgres/database.ts';
import { assertSameDatabase, assertUsableDatabase } from '#server/platform/postgres/database-check.ts';
import { startEmbeddedDatabase } from '#server/platform/postgres/embedded-database.ts';
import { assertSchemaNotNewer, migrateDatabase } from '#server/platform/postgres/migrations.ts';
import { findFixedVersion } from '#server/platform/process/known-vulnerabilities.ts';
import type { LinePrinter, Log } from '#server/platform/process/log.ts';
import { serverVersion } from '#server/platform/process/version.ts';
import { loadSecrets } from '#server/platform/secrets.ts';
import { assertSameCurrency } from './campus-currency.ts';
import { openFiles } from './open-files.ts';

export interface PreparedEnvironment {
  databaseUrl: string;
  /** Text to print once the processes are serving. */
  welcome: string;
  stop(): Promise<void>;
}

/**
 * Database connections of one serving process: 10 for calls, 4 for searches, 4 for jobs, 2 to listen for jobs
 * and bus messages, 1 for health queries.
 */
const connectionsPerProcess = 21;
/** Additional connections for the supervisor, a worker that is being replaced, backups and commands. */
const spareConnectionCount = 60;

const createBusyPortError = (port: number): Error =>
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

// Throws when the port is in use. A previous server that is just stopping gets two seconds to exit.
// Call this before anything else, so that accidentally starting a second server changes nothing.
const assertPortFree = async (config: Config): Promise<void> => {
  for (let timeouts = 10; !(await canListen(config)); timeouts -= 1) {
    if (timeouts === 0) throw createBusyPortError(config.port);
    await delay(200);
  }
};

// Throws at start when PostgreSQL allows too few connections, instead of letting requests fail later under load.
const assertEnoughConnections = async (sql: Sql, workers: number): Promise<void> => {
  if (workers === 1) return;
  const [row] = await sql<{ room: number }[]>`
    SELECT current_setting('max_connections')::int
      - current_setting('superuser_reserved_connections')::int AS room`;
  const room = row?.room ?? 0;
  const needed = workers * connectionsPerProcess;
  if (needed > room) {
    throw new Error(
      `QUAD_WORKERS=${workers} needs ${needed} connections to PostgreSQL, which allows ${room}: ` +
        'lower QUAD_WORKERS or raise max_connections',
    );
  }
};

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]'];

/** Returns whether QUAD_PUBLIC_URL points to this machine itself, and is therefore of no use on other machines. */
const isLocalServer = ({ publicUrl }: Config): boolean => loopbackHosts.includes(new URL(publicUrl).hostname);

const formatWelcome = (
  config: Config,
  {
    demo,
    demoAccountCount,
    hasForeignSpots,
  }: { demo: DemoLogins | undefined; demoAccountCount: number; hasForeignSpots: boolean },
): string => {
  const lines = ['', `  ${config.campus.siteName} is ready at ${config.publicUrl}`];
  if (demoAccountCount > 0) {
    lines.push(
      '',
      `  WARNING: ${demoAccountCount} demo accounts with a public password are in this database.`,
    );
    lines.push('  Remove them with: npm run demo -- remove');
  } else if (demo) {
    lines.push('', `  Demo accounts, all with the password ${demo.password}`);
    for (const { email, full_name, role } of demo.accounts)
      lines.push(`    ${email.padEnd(28)} ${full_name}${role ? `, ${role}` : ''}`);
    if (demo.accounts.some(({ role }) => role))
      lines.push(
        `  To see the console, log in as the administrator, open ${config.publicUrl}/moderation`,
        '  and set up two-step verification with any authenticator app.',
      );
  }
  if (hasForeignSpots) {
    lines.push('', `  The meeting spots of ${defaultCampus.shortName} are still listed. Remove them with:`);
    lines.push('  npm run spots -- remove-default --reason "We are another campus"');
  }
  if (config.mail.by === 'mailbox') {
    lines.push('', `  Mail is not sent but shown at http://localhost:${config.port}/dev/mail`);
  }
  if (config.mail.by === 'nothing') {
    lines.push('', '  Mail is off: nobody can sign up, log in with a code or reset a password');
  }
  return [...lines, ''].join('\n');
};

const startDatabaseIfEmbedded = async (
  config: Config,
  log: Log,
): Promise<Pick<PreparedEnvironment, 'databaseUrl' | 'stop'>> => {
  const { databaseUrl, workers } = config;
  if (databaseUrl !== undefined) return { databaseUrl, stop: async () => {} };
  const connections = Math.max(200, workers * connectionsPerProcess + spareConnectionCount);
  const embedded = await startEmbeddedDatabase({
    dataDir: resolve(config.dataDir),
    log,
    bin: config.postgresBin,
    settings: { max_connections: String(connections) },
  });
  return { databaseUrl: embedded.url, stop: embedded.stop };
};

/** Throws unless the pooler at QUAD_DATABASE_URL and the connection `direct` lead to the same database. */
const assertUsablePooler = async (databaseUrl: string, direct: Sql): Promise<void> => {
  const pooled = openDatabase(databaseUrl, { max: 1, prepare: false });
  try {
    await assertUsableDatabase(pooled, databaseUrl, { allowsTransactionPooler: true });
    await assertSameDatabase(pooled, direct);
  } finally {
    await pooled.end({ timeout: 5 });
  }
};

/** Throws unless the configured file store and Redis can be used, so that a wrong address changes no database. */
const assertUsableServices = async (config: Config): Promise<void> => {
  const { check, close } = await openFiles(config);
  await check().finally(close);
  if (config.redisUrl === undefined) return;
  const { connectToRedis } = await import('#server/platform/redis-client.ts');
  (await connectToRedis(config.redisUrl)).destroy();
};

/** Prints the versions of everything that runs, and warns of those with known vulnerabilities. */
const reportVersions = async (config: Config, sql: Sql, say: LinePrinter, log: Log): Promise<void> => {
  const [row] = await sql<{ version: string }[]>`SELECT current_setting('server_version') AS version`;
  const postgres = row?.version ?? '';
  const node = process.versions.node;
  const kind = config.databaseUrl === undefined ? 'embedded' : 'external';
  say(`Quad ${serverVersion} on Node ${node} and PostgreSQL ${postgres} (${kind})`);
  const fixedNode = findFixedVersion('Node', node);
  if (fixedNode)
    log.warn(`Node ${node} has known vulnerabilities, which ${fixedNode} fixes: update Quad, or Node`);
  const fixedPostgres = findFixedVersion('PostgreSQL', postgres);
  if (fixedPostgres) {
    const remedy =
      kind === 'external'
        ? 'update it'
        : 'name newer programs with QUAD_POSTGRES_BIN, or use QUAD_DATABASE_URL';
    log.warn(`PostgreSQL ${postgres} has known vulnerabilities, which ${fixedPostgres} fixes: ${remedy}`);
  }
};

/** Fills an empty database with the demo campus, using all cores. */
const seedDemo = async (config: Config, sql: Sql, say: LinePrinter): Promise<void> => {
  const { files, check, close } = await openFiles(config);
  // The server does not serve requests yet, so the image processes need not run at a lower
  // priority.
  const startImages = () => createImageProcessor({ niceness: 0 });
  const images = Array.from({ length: Math.min(availableParallelism(), 8) }, startImages);
  try {
    await check();
    await seedDemoCampus({
      sql,
      files,
      images,
      uploads: join(resolve(config.dataDir), 'uploads'),
      clock: systemClock,
      campus: config.campus,
      texts: config.demoTexts,
      passwordHash: hashPassword,
      grantsRoles: isLocalServer(config),
      begin: () => say('Creating the demo campus ...'),
    });
  } finally {
    for (const imageProcess of images) imageProcess.close();
    await close();
  }
};

/**
 * Does the one-time preparation for all serving processes: checks that the port is free, starts and
 * migrates the database, creates the secrets, adds the meeting spots of the default campus, and loads the demo campus into an
 * empty database.
 * Throws with a one-line message.
 */
export const prepareQuad = async (
  config: Config,
  say: LinePrinter,
  log: Log,
): Promise<PreparedEnvironment> => {
  if (config.listenFd === undefined) await assertPortFree(config);
  const { databaseUrl, stop } = await startDatabaseIfEmbedded(config, log);
  const { campus, demo, workers } = config;
  const directUrl = config.directDatabaseUrl ?? databaseUrl;
  const sql = openDatabase(directUrl, { max: 2 });
  try {
    await assertUsableDatabase(
      sql,
      directUrl,
      config.directDatabaseUrl ? { setting: 'QUAD_DATABASE_DIRECT_URL' } : {},
    );
    if (directUrl !== databaseUrl) await assertUsablePooler(databaseUrl, sql);
    await assertSchemaNotNewer(sql);
    await reportVersions(config, sql, say, log);
    await assertUsableServices(config);
    await migrateDatabase({ databaseUrl: directUrl, log });
    await assertEnoughConnections(sql, workers);
    await assertSameCurrency(sql, campus.currency);
    await loadSecrets(resolve(config.dataDir));
    // Restrict access to the data folders, because earlier versions wrote files that every user of
    // the machine could read.
    for (const folder of ['files', 'uploads', 'builds']) {
      await restrictToOwner(resolve(config.dataDir, folder)).catch((error: unknown) =>
        log.warn({ err: error, folder }, 'file modes could not be restricted'),
      );
    }
    await addDefaultMeetingSpots(sql, campus, config.campusSpots);
    if (demo) await seedDemo(config, sql, say);
    if (!demo || !isLocalServer(config)) await revokeDemoRoles(sql);
    // A public server without QUAD_DEMO=on warns about demo accounts instead of listing their logins. They may
    // be left from an older version, or from a time when QUAD_PUBLIC_URL was an http URL.
    const mustBeAbsent = !demo && config.publicUrl.startsWith('https:');
    const demoAccountCount = mustBeAbsent ? (await listDemoAccounts(sql)).length : 0;
    const welcome = formatWelcome(config, {
      demo: await findDemoLogins(sql, campus, config.demoTexts),
      demoAccountCount,
      hasForeignSpots: (await listForeignMeetingSpots(sql, campus)).length > 0,
    });
    await sql.end({ timeout: 5 });
    const endPublishing = startBuildPublishing(
      { dataDir: resolve(config.dataDir), clientFolder: builtClientFolder, clock: systemClock },
      (error) => log.warn({ err: error }, 'the build could not be published for later versions'),
    );
    // Compare the clocks only for an external database; the embedded database runs on this machine.
    const clockWatch = config.databaseUrl
      ? watchClockSkew(directUrl, { clock: systemClock, log })
      : undefined;
    await clockWatch?.check();
    const stopAll = async () => {
      clockWatch?.stop();
      await endPublishing();
      await stop();
    };
    return { databaseUrl, welcome, stop: stopAll };
  } catch (error) {
    await sql.end({ timeout: 5 });
    await stop();
    throw error;
  }
};
