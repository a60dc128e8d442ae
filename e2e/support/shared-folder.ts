import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const sharedFolderVariable = 'E2E_SHARED_FOLDER';

/** Returns the folder shared by all Playwright workers of a test run, or undefined outside a test run. */
export const getSharedFolder = (): string | undefined => process.env[sharedFolderVariable];

/**
 * Creates the shared folder before a test run (Playwright's global set-up) and puts its path in E2E_SHARED_FOLDER, which
 * the workers inherit. Returns the clean-up function.
 */
export default function setUp(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'quad-e2e-shared-'));
  process.env[sharedFolderVariable] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
