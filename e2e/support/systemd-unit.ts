import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stream } from 'node:stream';
import { promisify } from 'node:util';
import { type MailServer, startMailServer } from './mail-server.ts';
import { freePort } from './quad.ts';

/** Does with ops/quad.service and ops/quad.socket what systemd does: holds the socket, starts, stops, restarts. */
export interface SystemdUnit {
  url: string;
  mail: MailServer;
  dataDir: string;
  /** What the service has printed so far. */
  output(): string;
  /** Starts the service and resolves when it says that it is ready. */
  start(environment?: Record<string, string>): Promise<void>;
  /** Stops the service gracefully, then starts it; new connections wait in the socket meanwhile. */
  restart(environment?: Record<string, string>): Promise<void>;
  /** Runs a command of the current release with the settings of the service (ops/quad-command); returns its output. */
  runCommand(name: 'migrate'): Promise<string>;
  close(): Promise<void>;
}

type Handle = Stream & { close(): void };
const { _createServerHandle: bindSocket } = net as unknown as {
  _createServerHandle(address: string, port: number, addressType: 4): Handle;
};

/** Reads a setting of the unit file, with the installation's folder in the place of /opt/quad. */
const readSetting = (unitFile: string, name: string, installation: string): string => {
  const [, value] = new RegExp(`^${name}=(.*)$`, 'm').exec(readFileSync(unitFile, 'utf8')) ?? [];
  if (value === undefined) throw new Error(`${unitFile} has no ${name}`);
  return value.replaceAll('/opt/quad', installation);
};

/** Makes the unit of an installation: a folder with `current` and `releases` in it. */
export const createSystemdUnit = async (installation: string): Promise<SystemdUnit> => {
  const port = await freePort();
  // Bound, and never accepted from by this process.
  const socket = bindSocket('127.0.0.1', port, 4);
  const mail = await startMailServer();
  const dataDir = mkdtempSync(join(tmpdir(), 'quad-unit-'));
  const unitFile = join(installation, 'current', 'ops', 'quad.service');
  let child: ChildProcess | undefined;
  let printed = '';

  const start = async (environment: Record<string, string> = {}): Promise<void> => {
    const [program = '', ...args] = readSetting(unitFile, 'ExecStart', installation).split(' ');
    // The shell becomes the server, so that the process id is the server's, as with systemd.
    const shell = 'LISTEN_FDS=1 LISTEN_PID=$$ exec "$0" "$@"';
    const started = spawn('/bin/sh', ['-c', shell, program, ...args], {
      cwd: readSetting(unitFile, 'WorkingDirectory', installation),
      env: {
        ...process.env,
        PORT: String(port),
        DATA_DIR: dataDir,
        SMTP_URL: mail.url,
        DEMO: 'off',
        RATE_LIMITS: 'off',
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
      const { stdout } = await promisify(execFile)(program, [`server/commands/${name}.ts`], {
        cwd: readSetting(unitFile, 'WorkingDirectory', installation),
        env: { ...process.env, DATA_DIR: dataDir },
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
