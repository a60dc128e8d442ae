import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Calls `find` repeatedly until it returns a value other than undefined, and returns this value. Throws after
 * `timeoutMs`.
 */
export const waitForValue = async <Value>(
  what: string,
  find: () => Promise<Value | undefined> | Value | undefined,
  timeoutMs: number,
): Promise<Value> => {
  const begun = performance.now();
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    if (performance.now() - begun > timeoutMs) throw new Error(`${what}: not within ${timeoutMs / 1000} s`);
    await delay(100);
  }
};

/** A running program on a machine of the cluster, which writes its output to a file. */
export interface MachineProcess {
  pid: number;
  isRunning(): boolean;
  output(): string;
  signal(signal: NodeJS.Signals): void;
  /** A promise that resolves when the process has ended. */
  ended: Promise<void>;
}

/**
 * Starts a program and appends its output to `logFile`. The program does not receive Ctrl-C, so that the
 * cluster can stop its programs in the right order.
 */
export const startProcess = (
  [program, args]: [string, string[]],
  logFile: string,
  env: NodeJS.ProcessEnv = process.env,
  cwd?: string,
): MachineProcess => {
  const log = openSync(logFile, 'a');
  const child: ChildProcess = spawn(program, args, {
    env,
    detached: true,
    stdio: ['ignore', log, log],
    ...(cwd ? { cwd } : {}),
  });
  closeSync(log);
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  child.once('exit', () => resolve());
  child.once('error', () => resolve());
  return {
    pid: child.pid ?? 0,
    isRunning: () => child.pid !== undefined && child.exitCode === null && child.signalCode === null,
    output: () => readFileSync(logFile, 'utf8'),
    signal: (signal) => void child.kill(signal),
    ended,
  };
};
