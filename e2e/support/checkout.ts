import {
  copyFileSync,
  cpSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** Files and folders of the checkout that are not copied. */
const excludedEntries = new Set([
  '.data',
  '.git',
  '.react-router',
  '.setup.lock',
  'backups',
  'node_modules',
  'test-results',
]);
/**
 * Cache folders in node_modules. They are not copied, because the copy uses hard links and tools change these
 * files in place.
 */
const cacheFolders = new Set(['.cache', '.vite', '.vite-child-compiler', '.vite-temp']);

/** Large packages that neither building the pages nor running the server needs. */
const excludedLargePackages = new Set([
  ...['@biomejs', '@paulirish', '@playwright', '@sentry', '@sparticuz', 'chromium-bidi'],
  ...['lighthouse', 'playwright', 'playwright-core', 'puppeteer-core', 'third-party-web'],
]);

const linkOrCopyFile = (from: string, to: string): void => {
  try {
    linkSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    copyFileSync(from, to);
  }
};

const linkFolder = (from: string, to: string, excludedNames: Set<string> = cacheFolders): void => {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (excludedNames.has(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (!entry.isDirectory()) linkOrCopyFile(source, target);
    else linkFolder(source, target);
  }
};

/**
 * A copy of this checkout that a test may change. Its dependencies are hard links, all other files are
 * copies.
 */
export interface WorkingTreeCopy {
  folder: string;
  remove(): void;
}

/** Copies this checkout to a temporary folder; `slim` leaves out large packages that only tests and checks need. */
export const copyWorkingTree = ({ slim = false } = {}): WorkingTreeCopy => {
  const folder = mkdtempSync(join(tmpdir(), 'quad-checkout-'));
  for (const name of readdirSync(root)) {
    if (!excludedEntries.has(name)) cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  const excludedNames = slim ? cacheFolders.union(excludedLargePackages) : cacheFolders;
  linkFolder(join(root, 'node_modules'), join(folder, 'node_modules'), excludedNames);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
};
