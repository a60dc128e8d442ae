import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '#server/platform/clock.ts';
import {
  isFileNotFoundError,
  makeOwnerOnlyFolder,
  restrictToOwner,
} from '#server/platform/files/owner-only.ts';

const hourMs = 3_600_000;
/**
 * How long the files of a build are kept after it was last marked as used. A server marks its build
 * when it starts and then once an hour, so the files stay for at least a day after the last server
 * that used the build stopped.
 */
const buildRetentionMs = 25 * hourMs;

/** Returns the folder that contains one subfolder for each build served with this QUAD_DATA_DIR. */
export const getPublishedBuildsFolder = (dataDir: string): string => join(dataDir, 'builds');

const computeBuildName = async (assets: string): Promise<string> =>
  createHash('sha256')
    .update((await readdir(assets)).sort().join())
    .digest('hex')
    .slice(0, 16);

/**
 * Copies the assets of a build, unless already copied. Their names contain content hashes, so a
 * later build never has a different file with the same name.
 */
const copyAssets = async (folder: string, name: string, assets: string): Promise<void> => {
  if (existsSync(join(folder, name))) return;
  const unfinished = join(folder, `.${name}.${randomBytes(4).toString('hex')}`);
  await makeOwnerOnlyFolder(unfinished);
  await cp(assets, join(unfinished, 'assets'), { recursive: true });
  await restrictToOwner(unfinished);
  try {
    await rename(unfinished, join(folder, name));
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Ignore the error if another process with this QUAD_DATA_DIR has copied the same build in the
    // meantime.
    if (!existsSync(join(folder, name))) throw error;
  }
};

/**
 * Returns when a file or folder was changed, or undefined when another process has removed it in the
 * meantime.
 */
const findModificationTime = async (path: string): Promise<Date | undefined> => {
  try {
    return (await stat(path)).mtime;
  } catch (error) {
    if (isFileNotFoundError(error)) return undefined;
    throw error;
  }
};

const removeUnusedBuilds = async (folder: string, now: Date): Promise<void> => {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const mtime = await findModificationTime(path);
    if (mtime && now.getTime() - mtime.getTime() > buildRetentionMs)
      await rm(path, { recursive: true, force: true });
  }
};

/**
 * Copies a build's assets into QUAD_DATA_DIR, where later server versions can still serve them, and
 * updates its last-used time. Removes builds that no server has used for a day. Idempotent; called
 * at start and once an hour.
 */
export const publishBuild = async (dataDir: string, clientFolder: string, clock: Clock): Promise<void> => {
  const assets = join(clientFolder, 'assets');
  if (!existsSync(assets)) return;
  const folder = getPublishedBuildsFolder(dataDir);
  const name = await computeBuildName(assets);
  await copyAssets(folder, name, assets);
  await utimes(join(folder, name), clock.now(), clock.now());
  await removeUnusedBuilds(folder, clock.now());
};

/**
 * Publishes a build now and once an hour, in the background. Returns a function that stops the publishing and
 * waits for a run in progress to end.
 */
export const startBuildPublishing = (
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

/** Returns the assets folder of the published build that contains this file, or undefined when none does. */
export const findPublishedAssetsFolder = async (
  dataDir: string,
  file: string,
): Promise<string | undefined> => {
  // Accept only a plain file name. The compressed variants are chosen by Accept-Encoding, not by
  // name.
  if (!/^[\w-][\w.-]*$/.test(file) || /\.(br|gz)$/.test(file)) return undefined;
  const folder = getPublishedBuildsFolder(dataDir);
  const builds = await readdir(folder).catch(() => []);
  const holder = builds.find(
    (name) => !name.startsWith('.') && existsSync(join(folder, name, 'assets', file)),
  );
  return holder && join(folder, holder, 'assets');
};
