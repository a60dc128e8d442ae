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
const left = new Set([
  '.data',
  '.git',
  '.react-router',
  '.setup.lock',
  'backups',
  'node_modules',
  'test-results',
]);
/** Caches are written in place, so a hard link would share the writes. */
const caches = new Set(['.cache', '.vite', '.vite-child-compiler', '.vite-temp']);

/** Large packages that neither building nor serving needs. */
const heavy = new Set([
  ...['@biomejs', '@paulirish', '@playwright', '@sentry', '@sparticuz', 'chromium-bidi'],
  ...['lighthouse', 'playwright', 'playwright-core', 'puppeteer-core', 'third-party-web'],
]);

const linkFile = (from: string, to: string): void => {
  try {
    linkSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    copyFileSync(from, to);
  }
};

const linkFolder = (from: string, to: string, without: Set<string> = caches): void => {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (without.has(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (!entry.isDirectory()) linkFile(source, target);
    else linkFolder(source, target);
  }
};

/** Creates a copy of this checkout that a test may change: its own files, and dependencies as hard links. */
export interface Checkout {
  folder: string;
  remove(): void;
}

/** Makes the copy; a slim one lacks large packages that only tests and checks need. */
export const copyCheckout = ({ slim = false } = {}): Checkout => {
  const folder = mkdtempSync(join(tmpdir(), 'quad-checkout-'));
  for (const name of readdirSync(root)) {
    if (!left.has(name)) cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  const without = slim ? caches.union(heavy) : caches;
  linkFolder(join(root, 'node_modules'), join(folder, 'node_modules'), without);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
};
