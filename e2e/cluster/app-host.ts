import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readExampleEnvironment } from './configuration.ts';
import { type MachineProcess, startProcess, waitForValue } from './machine-process.ts';
import type { ClusterNetwork } from './network.ts';

export const appHostNames = ['app1', 'app2'] as const;
export type AppHostName = (typeof appHostNames)[number];

/** A machine of a cluster that runs Quad. */
export interface AppHost {
  name: AppHostName;
  start(): Promise<void>;
  /** Stops Quad gracefully and resolves when it has ended. */
  stop(): Promise<void>;
  kill(): Promise<void>;
  /** Makes the next start use the version of Quad in `folder`. */
  install(folder: string): void;
  /** Migrates the database to the installed version, as `npm run migrate` does. */
  migrate(): Promise<void>;
  /** Returns whether Quad is ready, according to `/readyz`. */
  isReady(): Promise<boolean>;
  /** Returns the number of open connections from the proxy, and how many of them are WebSockets. */
  countConnections(): Promise<{ all: number; sockets: number }>;
  /**
   * Returns how many searches of this host were served by standbys, and how many by the primary, since Quad
   * started on it; 0 while Quad does not run.
   */
  countSearches(): Promise<{ standby: number; primary: number }>;
}

const projectFolder = fileURLToPath(new URL('../..', import.meta.url));
const startTimeoutMs = 120_000;

/**
 * Creates an application host with the settings of `ops/cluster/quad.env`, after replacing each text that is
 * a key of `replacements` with its value.
 */
export const createAppHost = (
  network: ClusterNetwork,
  name: AppHostName,
  folder: string,
  replacements: Record<string, string>,
  settings: Record<string, string>,
): AppHost => {
  mkdirSync(folder);
  const { QUAD_SMTP_URL: _, ...example } = readExampleEnvironment('quad.env', replacements);
  const env = {
    ...process.env,
    ...example,
    HOST: '0.0.0.0',
    PORT: '3000',
    QUAD_DATA_DIR: join(folder, 'data'),
    ...settings,
  };
  let server: MachineProcess | undefined;
  let installedFolder = projectFolder;
  const request = async (path: string): Promise<string | undefined> =>
    network
      .run(name, ['curl', '--silent', '--fail', '--max-time', '3', `http://127.0.0.1:3000${path}`])
      .catch(() => undefined);
  const host: AppHost = {
    name,
    start: async () => {
      const log = join(folder, 'quad.log');
      const earlier = existsSync(log) ? (server?.output().length ?? 0) : 0;
      const started = startProcess(
        network.commandOn(name, [process.execPath, join(installedFolder, 'server', 'main.ts')]),
        log,
        env,
        installedFolder,
      );
      server = started;
      await waitForValue(
        `Quad on ${name}`,
        () => {
          const output = started.output().slice(earlier);
          if (!started.isRunning()) throw new Error(`Quad on ${name} ended:\n${output}`);
          return output.includes('is ready at') || undefined;
        },
        startTimeoutMs,
      );
    },
    stop: async () => {
      server?.signal('SIGTERM');
      await server?.ended;
    },
    kill: async () => {
      network.signal(name, 'SIGKILL');
      await server?.ended;
    },
    install: (version) => {
      installedFolder = version;
    },
    migrate: async () => {
      const commands = join(installedFolder, 'server', 'commands');
      const quad = join(commands, 'quad.ts');
      // Versions before 0.11 have a file for each command.
      const command = existsSync(quad) ? [quad, 'migrate'] : [join(commands, 'migrate.ts')];
      await network.run(name, [process.execPath, ...command], env);
    },
    isReady: async () => (await request('/readyz')) !== undefined,
    countConnections: async () => {
      const proxy = network.addressOf('proxy1');
      const filter = ['state', 'established', 'sport', '=', ':3000', 'and', 'dst', proxy];
      const lines = await network.run(name, ['ss', '-Htn', ...filter]);
      const metrics = (await request('/metrics')) ?? '';
      return {
        all: lines.split('\n').filter(Boolean).length,
        sockets: Number(/^quad_sockets(?:\{[^}]*\})? (\d+)/m.exec(metrics)?.[1] ?? 0),
      };
    },
    countSearches: async () => {
      const metrics = (await request('/metrics')) ?? '';
      const count = (from: string): number =>
        Number(
          new RegExp(`^quad_searches_total\\{server="${from}"[^}]*\\} (\\d+)`, 'm').exec(metrics)?.[1] ?? 0,
        );
      return { standby: count('standby'), primary: count('primary') };
    },
  };
  return host;
};

/** Copies the secrets of one application host to another, because hosts must accept each other's tokens. */
export const copySecrets = (from: string, to: string): void => {
  mkdirSync(join(to, 'data'), { recursive: true, mode: 0o700 });
  copyFileSync(join(from, 'data', 'secrets.json'), join(to, 'data', 'secrets.json'));
};
