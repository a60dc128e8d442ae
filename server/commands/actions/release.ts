import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { resolveFolder } from '../command.ts';

const script = fileURLToPath(new URL('../../../tools/release.mjs', import.meta.url));

/** Makes a release of this checkout in a folder of releases. */
export const release = async (folder: string): Promise<void> => {
  if (!existsSync(script)) throw new Error('A release is made from a checkout, which has tools/release.mjs.');
  const child = spawn(process.execPath, [script, resolveFolder(folder)], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  process.exitCode = code ?? 1;
};
