import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Returns how many files and sockets this process and its children may open (Linux only). */
export const readOpenFilesLimit = (): number =>
  Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]);

/** A server that runs in a separate process. */
export interface ServerProcess {
  url: string;
  /** Returns the resident memory of the server in KB (Linux only). */
  memory(): number;
  /** Stops the server with SIGTERM and starts it again immediately; returns the durations of both in ms. */
  restart(): Promise<{ stopMs: number; startMs: number }>;
  stop(): Promise<void>;
}

/** Starts a server program on a port and waits until it prints `is ready at`. */
export const startServer = async (
  program: URL,
  port: number,
  environment: Record<string, string>,
): Promise<ServerProcess> => {
  let child: ChildProcess | undefined;

  const start = async (): Promise<void> => {
    const started = spawn(process.execPath, [fileURLToPath(program)], {
      env: { ...process.env, ...environment, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = started;
    await new Promise<void>((ready, failed) => {
      let printed = '';
      const read = (chunk: Buffer) => {
        if (printed.includes('is ready at')) return;
        printed += chunk;
        if (printed.includes('is ready at')) ready();
      };
      started.stdout.on('data', read);
      started.stderr.on('data', read);
      started.once('exit', (code) => failed(new Error(`A server ended with ${code}:\n${printed}`)));
    });
  };
  const stop = async (): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };

  await start();
  return {
    url: `http://127.0.0.1:${port}`,
    memory: () => Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${child?.pid}/status`, 'utf8'))?.[1]),
    restart: async () => {
      const begun = performance.now();
      await stop();
      const stopped = performance.now();
      await start();
      return { stopMs: stopped - begun, startMs: performance.now() - stopped };
    },
    stop,
  };
};
