import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Runner } from './race.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const timeoutMs = 120_000;

/** Returns a free port. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

export interface Spawned extends Runner {
  stop(): Promise<void>;
}

const isReady = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
};

/** Starts a server in its own process and waits until it responds at a path. */
export const spawnServer = async (
  script: string,
  { env, args = [], ready }: { env: Record<string, string>; args?: string[]; ready: string },
): Promise<Spawned> => {
  const port = await freePort();
  const child: ChildProcess = spawn(process.execPath, [script, ...args], {
    cwd: root,
    env: { ...process.env, ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  const origin = `http://127.0.0.1:${port}`;
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  for (const begun = performance.now(); !(await isReady(origin + ready)); await delay(200)) {
    if (child.exitCode !== null || performance.now() - begun > timeoutMs) {
      await stop();
      throw new Error(`${script} did not start`);
    }
  }
  return { origin, pid: child.pid ?? 0, stop };
};
