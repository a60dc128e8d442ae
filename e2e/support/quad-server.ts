import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { campusSettings } from '#server/testing/campus-settings.ts';
import { type MailServer, startMailServer } from './mail-server.ts';
import { copyPreparedData } from './prepared-data.ts';

export const serverMainFile = fileURLToPath(new URL('../../server/main.ts', import.meta.url));
const responseDelayOptions = process.env.LATE_MS
  ? ['--import', new URL('delayed-responses.ts', import.meta.url).href]
  : [];

/**
 * A Quad server that runs as in production: in its own process, with its own PostgreSQL, and
 * sending emails over SMTP.
 */
export interface QuadServer {
  url: string;
  mail: MailServer;
  dataDir: string;
  output(): string;
  /** Kills the server with SIGKILL, so that it cannot clean up. */
  kill(): Promise<void>;
  /**
   * Sends SIGTERM to the server, `times` times (by default once). Resolves with the exit code when the server
   * has exited.
   */
  terminate(times?: number): Promise<number | null>;
  /** Waits until the server exits on its own; resolves with the exit code. */
  ended(): Promise<number | null>;
  /** Starts the stopped server again with the same data. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Returns a free port below the ephemeral range (on Linux from 32768 on), so that the system does not give the port of a
 * temporarily stopped server to another process.
 */
export const getFreePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(20_000, 32_768);
    const probe = createServer().listen(port, '127.0.0.1');
    try {
      await once(probe, 'listening');
    } catch {
      // Another process uses this port, so try another one.
      continue;
    }
    probe.close();
    await once(probe, 'close');
    return port;
  }
};

/**
 * Measures how long this machine currently takes to load the server's modules, in ms. Tests use this to adapt
 * time limits to a busy machine.
 */
export const measureModuleLoadMs = async (): Promise<number> => {
  const app = new URL('../../server/start/http-server.ts', import.meta.url).href;
  const begun = performance.now();
  await once(spawn(process.execPath, ['--input-type=module', '-e', `await import('${app}')`]), 'exit');
  return performance.now() - begun;
};

/**
 * Environment variables that have no effect on the data of a new server. Servers that differ only in these
 * variables can therefore share prepared data.
 */
const dataIndependentSettings = new Set([
  'QUAD_OIDC_ISSUER',
  'QUAD_OIDC_CLIENT_ID',
  'QUAD_OIDC_CLIENT_SECRET',
  'QUAD_OIDC_NAME',
  'QUAD_METRICS_TOKEN',
  'PORT',
  'QUAD_PUBLIC_URL',
  'QUAD_RATE_LIMITS',
  'QUAD_REDIS_URL',
  'QUAD_SMTP_URL',
  'QUAD_WORKERS',
]);

/** Fills a new data folder by starting a server on it once. */
export const prepareDataFolder = async (
  environment: Record<string, string>,
  folder: string,
): Promise<void> => {
  const quad = await startQuad(environment, folder);
  await quad.terminate();
  await quad.mail.close();
};

/**
 * Returns a new data folder: a copy of a prepared folder with an empty database. The folder is empty instead
 * if nothing is prepared, or if `environment` contains variables that affect a new server's data.
 */
export const createDataFolder = async (environment: Record<string, string>): Promise<string> =>
  (Object.keys(environment).every((name) => dataIndependentSettings.has(name))
    ? await copyPreparedData('empty', (folder) => prepareDataFolder({}, folder))
    : undefined) ?? mkdtemp(join(tmpdir(), 'quad-e2e-'));

/**
 * Starts Quad on the given data folder or on a new one, without the demo campus unless
 * `environment` sets QUAD_DEMO.
 */
export const startQuad = async (
  environment: Record<string, string> = {},
  givenFolder?: string,
): Promise<QuadServer> => {
  const mail = await startMailServer();
  const dataDir = givenFolder ?? (await createDataFolder(environment));
  const port = await getFreePort();
  let child: ChildProcess | undefined;
  let printed = '';

  const start = async (): Promise<void> => {
    const started = spawn(process.execPath, [...responseDelayOptions, serverMainFile], {
      env: {
        ...process.env,
        PORT: String(port),
        QUAD_DATA_DIR: dataDir,
        QUAD_SMTP_URL: mail.url,
        QUAD_DEMO: 'off',
        // A public server does not start without limits.
        QUAD_RATE_LIMITS: environment.QUAD_PUBLIC_URL?.startsWith('https:') ? 'on' : 'off',
        // A log-in shell sets this variable, which must not be mistaken for a setting.
        MAIL: '/var/mail/quad',
        ...campusSettings,
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = started;
    const ready = new Promise<void>((resolve, reject) => {
      let soFar = '';
      const read = (chunk: Buffer) => {
        soFar += chunk;
        printed += chunk;
        if (soFar.includes('is ready at')) resolve();
      };
      started.stdout?.on('data', read);
      started.stderr?.on('data', read);
      started.once('exit', (code) => reject(new Error(`The server ended with ${code}:\n${soFar}`)));
    });
    await ready;
  };

  const ended = async (): Promise<number | null> => {
    const ending = child;
    child = undefined;
    if (ending && ending.exitCode === null && ending.signalCode === null) await once(ending, 'exit');
    return ending?.exitCode ?? null;
  };
  const end = (signal: NodeJS.Signals, times = 1): Promise<number | null> => {
    for (let time = 0; time < times; time += 1) child?.kill(signal);
    return ended();
  };

  await start();
  return {
    url: `http://localhost:${port}`,
    mail,
    dataDir,
    output: () => printed,
    kill: async () => void (await end('SIGKILL')),
    terminate: (times) => end('SIGTERM', times),
    ended,
    start,
    stop: async () => {
      // PostgreSQL keeps running when the server is killed. A restarted server takes over the running
      // PostgreSQL, and stopping the server then stops both.
      if (!child) await start();
      await end('SIGTERM');
      await mail.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};

/** Runs an administrator's command, such as `npm run user -- suspend ...`, on the server's data; returns its output. */
export const runAdminCommand = async (
  quad: QuadServer,
  name: 'user' | 'demo' | 'listing',
  ...args: string[]
): Promise<string> => {
  const file = fileURLToPath(new URL('../../server/commands/quad.ts', import.meta.url));
  const env = { ...process.env, QUAD_DATA_DIR: quad.dataDir };
  const { stdout } = await promisify(execFile)(process.execPath, [file, name, ...args], { env });
  return stdout;
};
