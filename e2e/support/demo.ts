import { execFile } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, renameSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Quad, startQuad } from './quad.ts';
import { sharedFolder } from './shared-folder.ts';
import { logIn } from './sign-in.ts';

/** Starts a server with the demo campus on a data folder and stops it again, so that the folder contains the demo data. */
const createDemoData = async (folder: string): Promise<void> => {
  const quad = await startQuad({ DEMO: 'on' }, folder);
  await quad.terminate();
  await quad.mail.close();
};

/** Returns the data folder with the demo campus that all Playwright workers copy; the first worker creates it. */
const getDemoFolder = async (shared: string): Promise<string> => {
  const [demoFolder, partialFolder, lock] = ['demo', 'demo.new', 'demo.lock'].map((name) =>
    join(shared, name),
  ) as [string, string, string];
  while (!existsSync(demoFolder)) {
    try {
      mkdirSync(lock);
    } catch {
      // Another worker is creating the folder; wait for it.
      await delay(100);
      continue;
    }
    try {
      if (existsSync(demoFolder)) break;
      await createDemoData(partialFolder);
      renameSync(partialFolder, demoFolder);
    } finally {
      rmdirSync(lock);
    }
  }
  return demoFolder;
};

/**
 * Starts a server with the demo campus. Processing the demo photos takes many seconds, so they are processed once per
 * test run, and each server starts on a copy of that data folder.
 */
export const startDemoServer = async (): Promise<Quad> => {
  const shared = sharedFolder();
  const demoFolder = shared && (await getDemoFolder(shared));
  // When running as root without user namespaces, `database` is a symbolic link to another folder and cannot be copied.
  if (!demoFolder || lstatSync(join(demoFolder, 'database')).isSymbolicLink())
    return startQuad({ DEMO: 'on' });
  const dataDir = mkdtempSync(join(tmpdir(), 'quad-e2e-'));
  // `cp -a` keeps owners and modes, which PostgreSQL checks.
  await promisify(execFile)('cp', ['-a', `${demoFolder}/.`, dataDir]);
  return startQuad({ DEMO: 'on' }, dataDir);
};

/** Starts a demo server; returns it with a session of the first demo account and the slug of a furniture listing. */
export const startDemo = async (): Promise<{ quad: Quad; session: string; slug: string }> => {
  const quad = await startDemoServer();
  const session = await logIn(quad);
  const { items } = await (await fetch(`${quad.url}/rest/v1/listings?category=furniture`)).json();
  return { quad, session, slug: items[0].slug };
};
