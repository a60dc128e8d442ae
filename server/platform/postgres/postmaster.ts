import { execFileSync, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isProcessAlive } from '#server/platform/process/is-process-alive.ts';
import type { PostgresPrograms, ProgramRunner } from './postgres-programs.ts';

/** A running PostgreSQL server, as described by its cluster's `postmaster.pid`. */
export interface Postmaster {
  pid: number;
  port: number;
  /** Folder of its Unix socket, or undefined when it is reachable by TCP only. */
  socketFolder: string | undefined;
  status: 'starting' | 'ready' | 'stopping';
}

export interface PostmasterSetup {
  programs: PostgresPrograms;
  runner: ProgramRunner;
  cluster: string;
  logFile: string;
  settings: Record<string, string>;
}

const maxLogBytes = 1_000_000;

/**
 * Finds the server that runs on this cluster. Ignores a stale `postmaster.pid` of a killed server, even when another
 * program has its process id by now.
 */
export const findPostmaster = (cluster: string): Postmaster | undefined => {
  const lines = readLines(getPidFile(cluster));
  const pid = parsePid(lines);
  if (pid === undefined || !isProcessAlive(pid) || !hasClusterWorkingDirectory(pid, cluster))
    return undefined;
  const status = lines[7]?.trim();
  return {
    pid,
    port: Number(lines[3]),
    socketFolder: lines[4]?.trim() || undefined,
    status: status === 'ready' || status === 'stopping' ? status : 'starting',
  };
};

/**
 * Removes a lock file of a killed server if another program has its process id by now, because PostgreSQL checks only the
 * process id and would refuse to start.
 */
const removeStaleLockFile = (cluster: string, file: string): void => {
  const pid = parsePid(readLines(file));
  const isStale = () => pid !== undefined && isProcessAlive(pid) && !hasClusterWorkingDirectory(pid, cluster);
  // Read the file again before removing it, because a server that is just starting may have rewritten it.
  if (isStale() && parsePid(readLines(file)) === pid && isStale()) rmSync(file, { force: true });
};

/**
 * Starts a detached server on the cluster, on which none may be running. The server keeps running when this process
 * ends, ignores Ctrl-C in the terminal and writes to its log file. Returns a function that tells whether the server has
 * exited.
 */
export const launchPostmaster = (setup: PostmasterSetup, port: number): (() => boolean) => {
  removeStaleLockFile(setup.cluster, getPidFile(setup.cluster));
  const { unix_socket_directories: socketFolder } = setup.settings;
  if (socketFolder) removeStaleLockFile(setup.cluster, `${getSocketPath(socketFolder, port)}.lock`);
  const { prefix, ...identity } = setup.runner;
  const settings = Object.entries({ ...setup.settings, port: String(port) });
  const [command, ...args] = [
    ...prefix,
    setup.programs.postgres,
    '-D',
    setup.cluster,
    ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
  const log = openSync(setup.logFile, getFileSize(setup.logFile) > maxLogBytes ? 'w' : 'a', 0o600);
  let hasExited = false;
  const child = spawn(command as string, args, {
    ...identity,
    cwd: setup.cluster,
    detached: true,
    stdio: ['ignore', log, log],
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
  });
  closeSync(log);
  child.once('error', () => {
    hasExited = true;
  });
  child.once('exit', () => {
    hasExited = true;
  });
  child.unref();
  return () => hasExited;
};

/**
 * Stops the server on this cluster if one is running. Open sessions are closed; everything committed is on disk. Throws
 * when the server does not exit.
 */
export const stopPostmaster = async (cluster: string, timeoutMs = 10_000): Promise<void> => {
  const running = findPostmaster(cluster);
  if (!running) return;
  const hasExited = () => findPostmaster(cluster)?.pid !== running.pid;
  sendSignal(running.pid, 'SIGINT');
  if (await waitUntil(hasExited, timeoutMs)) return;
  sendSignal(running.pid, 'SIGQUIT');
  if (await waitUntil(hasExited, timeoutMs)) return;
  throw new Error(`The built-in database (process ${running.pid}) does not stop.`);
};

/** Returns the last lines of the server's log, for an error message. */
export const readLogTail = (logFile: string): string =>
  (tryReadText(logFile) ?? '').trim().split('\n').slice(-6).join('\n');

/** Returns the path of a server's Unix socket. */
export const getSocketPath = (folder: string, port: number): string => join(folder, `.s.PGSQL.${port}`);

const getPidFile = (cluster: string): string => join(cluster, 'postmaster.pid');

const readLines = (file: string): string[] => tryReadText(file)?.split('\n') ?? [];

const parsePid = ([line]: readonly string[]): number | undefined => {
  const pid = Math.abs(Number(line));
  return Number.isInteger(pid) && pid !== 0 ? pid : undefined;
};

const waitUntil = async (condition: () => boolean, timeoutMs: number): Promise<boolean> => {
  for (let waited = 0; waited < timeoutMs; waited += 10) {
    if (condition()) return true;
    await delay(10);
  }
  return condition();
};

const sendSignal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

/** Returns whether the process's working directory is the cluster's folder; a zombie process has none. */
const hasClusterWorkingDirectory = (pid: number, cluster: string): boolean => {
  if (process.platform === 'win32') return true;
  if (process.platform !== 'linux') return readCommandLine(pid).includes(cluster);
  try {
    const [theirs, ours] = [statSync(`/proc/${pid}/cwd`), statSync(cluster)];
    return theirs.dev === ours.dev && theirs.ino === ours.ino;
  } catch (error) {
    const forbidden = ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '');
    return forbidden && (tryReadText(`/proc/${pid}/cmdline`) ?? '').includes(cluster);
  }
};

const readCommandLine = (pid: number): string => {
  try {
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
};

const tryReadText = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
};

const getFileSize = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
