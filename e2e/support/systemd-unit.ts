import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stream } from 'node:stream';
import { promisify } from 'node:util';
import { type MailServer, startMailServer } from './mail-server.ts';
import { getFreePort } from './quad-server.ts';

/**
 * Simulates systemd with ops/quad.service and ops/quad.socket: owns the listening socket, and starts, stops
 * and restarts the service.
 */
export interface SystemdUnit {
  url: string;
  mail: MailServer;
  dataDir: string;
  /** Returns what the service has printed so far. */
  output(): string;
  /** Starts the service and resolves when it has printed that it is ready. */
  start(environment?: Record<string, string>): Promise<void>;
  /** Stops the service gracefully and starts it again; meanwhile new connections wait in the socket's queue. */
  restart(environment?: Record<string, string>): Promise<void>;
  /** Runs ops/quad-command, which runs a command of the current release with the service's settings; returns its output. */
  runCommand(name: 'migrate'): Promise<string>;
  close(): Promise<void>;
}

type ServerHandle = Stream & { close(): void };
const { _createServerHandle: bindSocket } = net as unknown as {
  _createServerHandle(address: string, port: number, addressType: 4): ServerHandle;
};

/** Returns a setting of the unit file, with /opt/quad replaced by the installation's folder. */
const readSetting = (unitFile: string, name: string, installation: string): string => {
  const [, value] = new RegExp(`^${name}=(.*)$`, 'm').exec(readFileSync(unitFile, 'utf8')) ?? [];
  if (value === undefined) throw new Error(`${unitFile} has no ${name}`);
  return value.replaceAll('/opt/quad', installation);
};

/**
 * Creates the simulated unit for an installation, which is a folder that contains `current` and `releases`.
 */
export const createSystemdUnit = async (installation: string): Promise<SystemdUnit> => {
  const port = await getFreePort();
  // This process only binds the listening socket, as systemd does. The service accepts the connections.
  const socket = bindSocket('127.0.0.1', port, 4);
  const mail = await startMailServer();
  const dataDir = mkdtempSync(join(tmpdir(), 'quad-unit-'));
  const unitFile = join(installation, 'current', 'ops', 'quad.service');
  let child: ChildProcess | undefined;
  let printed = '';

  const start = async (environment: Record<string, string> = {}): Promise<void> => {
    const [program = '', ...args] = readSetting(unitFile, 'ExecStart', installation).split(' ');
    // `exec` replaces the shell with the server. LISTEN_PID is therefore the server's process id, as with
    // systemd.
    const shell = 'LISTEN_FDS=1 LISTEN_PID=$$ exec "$0" "$@"';
    const started = spawn('/bin/sh', ['-c', shell, program, ...args], {
      cwd: readSetting(unitFile, 'WorkingDirectory', installation),
      env: {
        ...process.env,
        PORT: String(port),
        QUAD_DATA_DIR: dataDir,
        QUAD_SMTP_URL: mail.url,
        QUAD_DEMO: 'off',
        QUAD_RATE_LIMITS: 'off',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe', socket],
    });
    child = started;
    await new Promise<void>((resolve, reject) => {
      let soFar = '';
      for (const stream of [started.stdout, started.stderr]) {
        stream?.on('data', (chunk: Buffer) => {
          soFar += chunk;
          printed += chunk;
          if (soFar.includes('is ready at')) resolve();
        });
      }
      started.once('exit', (code) => reject(new Error(`The service ended with ${code}:\n${soFar}`)));
    });
  };

  const stop = async (): Promise<void> => {
    const ending = child;
    child = undefined;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
    ending.kill('SIGTERM');
    await once(ending, 'exit');
  };

  return {
    url: `http://localhost:${port}`,
    mail,
    dataDir,
    output: () => printed,
    start,
    restart: async (environment) => {
      await stop();
      await start(environment);
    },
    runCommand: async (name) => {
      const [program = ''] = readSetting(unitFile, 'ExecStart', installation).split(' ');
      const { stdout } = await promisify(execFile)(program, ['server/commands/quad.ts', name], {
        cwd: readSetting(unitFile, 'WorkingDirectory', installation),
        env: { ...process.env, QUAD_DATA_DIR: dataDir },
      });
      return stdout;
    },
    close: async () => {
      await stop();
      socket.close();
      await mail.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
};
