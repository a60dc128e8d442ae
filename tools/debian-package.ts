import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cacheFolder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'node_modules', '.cache');
/** Maximum duration of each apt-get command. */
const downloadTimeoutMs = 120_000;

/**
 * The folder into which a package was unpacked, and the environment variables with which its programs must
 * run.
 */
export interface UnpackedPackage {
  folder: string;
  env: NodeJS.ProcessEnv;
}

/** Returns the folders that may contain installed system programs. */
export const listProgramFolders = (): string[] => [
  ...(process.env.PATH ?? '').split(delimiter),
  '/usr/sbin',
  '/usr/local/bin',
];

/**
 * Downloads a Debian package and its missing dependencies, and unpacks them into a cache folder, which needs
 * no privileges. `isNeeded` can leave out dependencies. Returns undefined on a system without apt. apt
 * verifies the packages with signed package lists, which it stores in a separate folder.
 */
export const unpackDebianPackage = (
  name: string,
  { isNeeded = () => true }: { isNeeded?: (dependency: string) => boolean } = {},
): UnpackedPackage | undefined => {
  if (!existsSync('/usr/bin/apt-get') || !existsSync('/usr/bin/dpkg-deb')) return undefined;
  const folder = join(cacheFolder, `quad-${name}`);
  if (!existsSync(folder)) downloadPackage(name, folder, isNeeded);
  const libraries = globSync(`${folder}/usr/lib/*-linux-*`).join(delimiter);
  const searched = [libraries, process.env.LD_LIBRARY_PATH].filter(Boolean).join(delimiter);
  return { folder, env: { ...process.env, LD_LIBRARY_PATH: searched } };
};

const downloadPackage = (name: string, folder: string, isNeeded: (dependency: string) => boolean): void => {
  process.stderr.write(`Fetching Debian's ${name} for the tests ...\n`);
  const work = `${folder}.${process.pid}`;
  const unpacked = join(work, 'unpacked');
  for (const part of ['lists/partial', 'cache/archives/partial', 'packages', 'unpacked'])
    mkdirSync(join(work, part), { recursive: true });
  const apt = (...args: string[]): string => {
    const folderOptions = [`Dir::State::Lists=${work}/lists`, `Dir::Cache=${work}/cache`];
    const networkOptions = ['APT::Sandbox::User=root', 'Acquire::Retries=1', 'Acquire::http::Timeout=15'];
    const options = [...folderOptions, ...networkOptions].flatMap((it) => ['-o', it]);
    const spawnOptions = {
      cwd: join(work, 'packages'),
      encoding: 'utf8',
      timeout: downloadTimeoutMs,
    } as const;
    return getOutput(spawnSync('apt-get', [...options, '-qq', ...args], spawnOptions));
  };
  try {
    apt('update');
    const plan = apt('install', '--simulate', '--no-install-recommends', name);
    const names = [...plan.matchAll(/^Inst (\S+)/gm)].map(([, each = '']) => each);
    if (!names.includes(name)) throw new Error(`Debian's package ${name} cannot be had`);
    apt('download', ...names.filter((each) => each === name || isNeeded(each)));
    for (const file of globSync(`${work}/packages/*.deb`))
      getOutput(spawnSync('dpkg-deb', ['--extract', file, unpacked], { encoding: 'utf8' }));
    renameSync(unpacked, folder);
  } catch (error) {
    // If the folder exists now, another process has unpacked the same package in the meantime, so ignore the
    // error.
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
};

const getOutput = ({ status, stdout, stderr, error }: SpawnSyncReturns<string>): string => {
  if (status !== 0) throw new Error(error?.message ?? stderr.trim());
  return stdout;
};
