import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '#server/platform/clock.ts';
import { makeOwnerOnlyFolder, restrictToOwner } from '#server/platform/files/owner-only.ts';

const hourMs = 3_600_000;
/** A build is marked as in use once an hour, so its files stay for a day at least after the last server on it stopped. */
const keptMs = 25 * hourMs;

/** The folder with one subfolder for each build that this or an earlier server with this DATA_DIR served. */
export const publishedBuildsFolder = (dataDir: string): string => join(dataDir, 'builds');

const nameOf = async (assets: string): Promise<string> =>
  createHash('sha256')
    .update((await readdir(assets)).sort().join())
    .digest('hex')
    .slice(0, 16);

/** Copies the files of a build whose names hold a hash; later builds never hold another file under such a name. */
const publish = async (folder: string, name: string, assets: string): Promise<void> => {
  if (existsSync(join(folder, name))) return;
  const unfinished = join(folder, `.${name}.${randomBytes(4).toString('hex')}`);
  await makeOwnerOnlyFolder(unfinished);
  await cp(assets, join(unfinished, 'assets'), { recursive: true });
  await restrictToOwner(unfinished);
  try {
    await rename(unfinished, join(folder, name));
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Another process on this DATA_DIR was quicker.
    if (!existsSync(join(folder, name))) throw error;
  }
};

const removeOverdue = async (folder: string, now: Date): Promise<void> => {
  for (const name of await readdir(folder)) {
    const { mtime } = await stat(join(folder, name));
    if (now.getTime() - mtime.getTime() > keptMs) await rm(join(folder, name), { recursive: true });
  }
};

/**
 * Publishes a build below DATA_DIR, from where every later server finds it, and marks it as in use. Removes those that
 * no server has used for a day. Idempotent; called at the start and once an hour.
 */
export const publishBuild = async (dataDir: string, clientFolder: string, clock: Clock): Promise<void> => {
  const assets = join(clientFolder, 'assets');
  if (!existsSync(assets)) return;
  const folder = publishedBuildsFolder(dataDir);
  const name = await nameOf(assets);
  await publish(folder, name, assets);
  await utimes(join(folder, name), clock.now(), clock.now());
  await removeOverdue(folder, clock.now());
};

/** Publishes a build now and once an hour, in the background. Returns a function that ends this. */
export const keepBuildPublished = (
  { dataDir, clientFolder, clock }: { dataDir: string; clientFolder: string; clock: Clock },
  onError: (error: unknown) => void,
): (() => Promise<void>) => {
  const run = () => publishBuild(dataDir, clientFolder, clock).catch(onError);
  let running = run();
  const timer = setInterval(() => {
    running = run();
  }, hourMs).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
};

/** The folder of the published build that holds a file of this name; undefined when none does. */
export const findPublishedAsset = async (dataDir: string, file: string): Promise<string | undefined> => {
  // One name, no path; the compressed forms are chosen by Accept-Encoding.
  if (!/^[\w-][\w.-]*$/.test(file) || /\.(br|gz)$/.test(file)) return undefined;
  const folder = publishedBuildsFolder(dataDir);
  const builds = await readdir(folder).catch(() => []);
  const holder = builds.find(
    (name) => !name.startsWith('.') && existsSync(join(folder, name, 'assets', file)),
  );
  return holder && join(folder, holder, 'assets');
};
