import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { campusSettings } from '#server/testing/campus-settings.ts';
import { createDataFolder, serverMainFile } from './quad-server.ts';

/**
 * Starts a server that is expected to exit with an error. Returns its exit code and what it wrote to standard
 * error.
 */
export const startServerExpectingFailure = async (
  environment: Record<string, string>,
): Promise<{ code: number | null; complaint: string }> => {
  const dataDir = await createDataFolder(environment);
  const child = spawn(process.execPath, [serverMainFile], {
    env: { ...process.env, QUAD_DATA_DIR: dataDir, QUAD_DEMO: 'off', ...campusSettings, ...environment },
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
