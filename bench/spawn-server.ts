import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ComparedServer } from './compare-servers.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const startTimeoutMs = 120_000;

/** Returns a free TCP port of the loopback address. */
export const findFreePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

/** A server that runs in a child process. */
export interface SpawnedServer extends ComparedServer {
  stop(): Promise<void>;
}

const isReachable = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
};

/** Starts a server script in a child process and waits until a GET of the path `ready` succeeds. */
export const spawnServer = async (
  script: string,
  { env, args = [], ready }: { env: Record<string, string>; args?: string[]; ready: string },
): Promise<SpawnedServer> => {
  const port = await findFreePort();
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
  for (const begun = performance.now(); !(await isReachable(origin + ready)); await delay(200)) {
    if (child.exitCode !== null || performance.now() - begun > startTimeoutMs) {
      await stop();
      throw new Error(`${script} did not start`);
    }
  }
  return { origin, pid: child.pid ?? 0, stop };
};
