/**
 * The process of `runCommand` (run-command.ts). It loads the modules of the commands once, and then runs each command
 * as `node server/commands/quad.ts <name>` would: with its own arguments, environment, output and exit code.
 */

export interface CommandRequest {
  name: string;
  args: readonly string[];
  settings: Record<string, string>;
}

export interface CommandResult {
  code: number;
  out: string;
  err: string;
}

const { PATH } = process.env;
let runs = 0;

const captureOutput = (stream: NodeJS.WriteStream): { text: () => string; release: () => void } => {
  const { write } = stream;
  let text = '';
  stream.write = (chunk: string | Uint8Array) => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    return true;
  };
  return {
    text: () => text,
    release: () => {
      stream.write = write;
    },
  };
};

const run = async ({ name, args, settings }: CommandRequest): Promise<CommandResult> => {
  const out = captureOutput(process.stdout);
  const err = captureOutput(process.stderr);
  const file = new URL('../commands/quad.ts', import.meta.url);
  // A new query makes Node run the program again, but not the modules that it imports.
  runs += 1;
  file.search = `run=${runs}`;
  process.argv = [process.execPath, file.pathname, name, ...args];
  process.env = { ...(PATH === undefined ? {} : { PATH }), ...settings };
  process.exitCode = 0;
  try {
    await import(file.href);
  } finally {
    out.release();
    err.release();
  }
  const code = Number(process.exitCode);
  process.exitCode = 0;
  return { code, out: out.text(), err: err.text() };
};

let previous: Promise<unknown> = Promise.resolve();
process.on('message', (request: CommandRequest) => {
  previous = previous.then(() => run(request)).then((result) => process.send?.(result));
});
process.on('disconnect', () => process.exit());
