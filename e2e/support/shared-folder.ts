import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const variable = 'E2E_SHARED_FOLDER';

/** Returns the folder that the workers of a test run share; undefined outside a test run. */
export const sharedFolder = (): string | undefined => process.env[variable];

/** Playwright's global set-up: creates the shared folder; workers inherit the variable. */
export default function setUp(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'quad-e2e-shared-'));
  process.env[variable] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
