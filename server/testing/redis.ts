import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareRedis } from '../../tools/redis.ts';
import { findFreePort } from './free-port.ts';

/** A real Redis server on loopback that only this test uses; it stores nothing on disk. */
export interface TestRedis {
  url: string;
  /** Kills the server with SIGKILL, which simulates a crash. */
  kill(): Promise<void>;
  /** Starts the killed server again on the same port. */
  start(): Promise<void>;
  /** Pauses the process, so that it does not respond while its connections stay open. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

export const startRedis = async ({ password }: { password?: string } = {}): Promise<TestRedis> => {
  const { path, env } = prepareRedis();
  const directory = await mkdtemp(join(tmpdir(), 'quad-redis-'));
  const port = await findFreePort();
  let child: ChildProcess | undefined;

  const start = async (): Promise<void> => {
    const location = ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory];
    const settings = ['--save', '', '--appendonly', 'no', ...(password ? ['--requirepass', password] : [])];
    const started = spawn(path, [...location, ...settings], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    child = started;
    await new Promise<void>((ready, failed) => {
      let printed = '';
      started.once('exit', () => failed(new Error(`Redis exited:\n${printed}`)));
      started.once('error', failed);
      started.stderr.on('data', (chunk) => {
        printed += chunk;
      });
      started.stdout.on('data', (chunk) => {
        printed += chunk;
        if (/ready to accept connections/i.test(printed)) ready();
      });
    });
  };
  const kill = async (): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };

  await start();
  return {
    url: `redis://${password ? `:${encodeURIComponent(password)}@` : ''}127.0.0.1:${port}`,
    start,
    kill,
    freeze: () => child?.kill('SIGSTOP'),
    thaw: () => child?.kill('SIGCONT'),
    stop: async () => {
      await kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
};
