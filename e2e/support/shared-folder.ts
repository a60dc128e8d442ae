import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const variable = 'E2E_SHARED_FOLDER';

/** Returns the folder shared by all Playwright workers of a test run; undefined outside a test run. */
export const sharedFolder = (): string | undefined => process.env[variable];

/** Creates the shared folder before a test run (Playwright's global set-up); workers inherit the environment variable. */
export default function setUp(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'quad-e2e-shared-'));
  process.env[variable] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
