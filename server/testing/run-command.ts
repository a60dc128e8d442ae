import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { CommandRequest, CommandResult } from './command-host.ts';

let host: ChildProcess | undefined;
let previous: Promise<unknown> = Promise.resolve();

const runInHost = async (request: CommandRequest): Promise<CommandResult> => {
  if (!host?.connected) {
    host = fork(fileURLToPath(new URL('./command-host.ts', import.meta.url)), { stdio: 'inherit' });
    // The host ends with the test process; it must not keep that process running.
    host.unref();
    host.channel?.unref();
  }
  host.channel?.ref();
  host.send(request);
  const [result] = await once(host, 'message');
  host.channel?.unref();
  return result;
};

/**
 * Runs a command of server/commands without a terminal and with only the given settings, after the commands that were
 * requested before. Returns its exit code and its output. All commands share a process, because loading their modules
 * takes a second.
 */
export const runCommand = (
  name: string,
  args: readonly string[],
  settings: Record<string, string>,
): Promise<CommandResult> => {
  const result = previous.then(() => runInHost({ name, args, settings }));
  previous = result.catch(() => undefined);
  return result;
};

/** Runs a command like `runCommand`, but in its own process, as npm does. The exit code is -1 when a signal ended it. */
export const runCommandInOwnProcess = (
  name: string,
  args: readonly string[],
  settings: Record<string, string>,
): Promise<CommandResult> =>
  new Promise((done) => {
    const file = fileURLToPath(new URL('../commands/quad.ts', import.meta.url));
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const env = { PATH, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }), ...settings };
    execFile(process.execPath, [file, name, ...args], { env }, (error, out, err) =>
      done({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, out, err }),
    );
  });
