import { execFile } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, renameSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Quad, startQuad } from './quad.ts';
import { sharedFolder } from './shared-folder.ts';
import { logIn } from './sign-in.ts';

/** Fills a folder with the data of a server that has the demo campus. */
const seed = async (folder: string): Promise<void> => {
  const quad = await startQuad({ DEMO: 'on' }, folder);
  await quad.terminate();
  await quad.mail.close();
};

/** Returns the data folder with the demo campus that all workers of this run copy; the first of them makes it. */
const findSeeded = async (shared: string): Promise<string> => {
  const [seeded, unfinished, lock] = ['demo', 'demo.new', 'demo.lock'].map((name) => join(shared, name)) as [
    string,
    string,
    string,
  ];
  while (!existsSync(seeded)) {
    try {
      mkdirSync(lock);
    } catch {
      // Another worker makes it.
      await delay(100);
      continue;
    }
    try {
      if (existsSync(seeded)) break;
      await seed(unfinished);
      renameSync(unfinished, seeded);
    } finally {
      rmdirSync(lock);
    }
  }
  return seeded;
};

/**
 * Starts a server with the demo campus. Its pictures take many seconds to process, so the servers of one run start on
 * copies of one data folder.
 */
export const startDemoServer = async (): Promise<Quad> => {
  const shared = sharedFolder();
  const seeded = shared && (await findSeeded(shared));
  // As root without user namespaces the database lives elsewhere, behind a symbolic link, and cannot be copied.
  if (!seeded || lstatSync(join(seeded, 'database')).isSymbolicLink()) return startQuad({ DEMO: 'on' });
  const dataDir = mkdtempSync(join(tmpdir(), 'quad-e2e-'));
  // Keeps owners and modes, which PostgreSQL verifies.
  await promisify(execFile)('cp', ['-a', `${seeded}/.`, dataDir]);
  return startQuad({ DEMO: 'on' }, dataDir);
};

/** A server with the demo campus, the session of its first account, and a listing with others like it. */
export const startDemo = async (): Promise<{ quad: Quad; session: string; slug: string }> => {
  const quad = await startDemoServer();
  const session = await logIn(quad);
  const { items } = await (await fetch(`${quad.url}/rest/v1/listings?category=furniture`)).json();
  return { quad, session, slug: items[0].slug };
};
