import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const mainFile = fileURLToPath(new URL('../../server/main.ts', import.meta.url));

/** Starts a server that is expected to exit with an error; returns the exit code and its standard error output. */
export const runFailingStart = async (
  environment: Record<string, string>,
): Promise<{ code: number | null; complaint: string }> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'quad-fails-'));
  const child = spawn(process.execPath, [mainFile], {
    env: { ...process.env, DATA_DIR: dataDir, DEMO: 'off', ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk;
  });
  const [code] = await once(child, 'exit');
  await rm(dataDir, { recursive: true, force: true });
  return { code, complaint };
};
