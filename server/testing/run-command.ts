import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Runs a command of server/commands as npm does: in its own process, without a terminal, and with
 * only the given settings. Returns its exit code (-1 when a signal ended it) and its output.
 */
export const runCommand = (
  name: string,
  args: readonly string[],
  settings: Record<string, string>,
): Promise<{ code: number; out: string; err: string }> =>
  new Promise((done) => {
    const file = fileURLToPath(new URL(`../commands/${name}.ts`, import.meta.url));
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const env = { PATH, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }), ...settings };
    execFile(process.execPath, [file, ...args], { env }, (error, out, err) =>
      done({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, out, err }),
    );
  });
