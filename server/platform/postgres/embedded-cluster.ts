import { execFile, execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { isProcessAlive } from '#server/platform/process/is-process-alive.ts';
import {
  canRunAndWrite,
  chooseProgramRunner,
  findAccountRunner,
  locatePostgresPrograms,
  type PostgresPrograms,
  type ProgramRunner,
} from './postgres-programs.ts';
import { getSocketPath } from './postmaster.ts';

/** Paths of an initialized PostgreSQL cluster, and how to run the PostgreSQL programs on it. */
export interface PostgresCluster {
  folder: string;
  passwordFile: string;
  /** Folder of the server's Unix socket, which only its owner may enter. */
  socketFolder: string;
  logFile: string;
  programs: PostgresPrograms;
  runner: ProgramRunner;
}

/** Name of the embedded database's only role; its password is random. */
export const embeddedRole = 'quad';

const hashPath = (path: string): string => createHash('sha256').update(path).digest('hex').slice(0, 12);

const systemDataFolder = '/var/lib/quad';
const systemAccountName = 'quad-database';

/**
 * Finds the cluster in `dataDir/database`, or creates it. A new cluster is created in a temporary
 * folder that is then renamed, so an interrupted set-up leaves no incomplete cluster and two
 * concurrent processes create only one.
 *
 * When PostgreSQL can run neither as the current account nor in a user namespace, the files are in
 * `/var/lib/quad`, owned by an account created for them, and `dataDir/database` is a symbolic link
 * to them.
 */
export const findOrCreateCluster = async (
  dataDir: string,
  settings: { sync: boolean; bin?: string | undefined },
): Promise<PostgresCluster> => {
  mkdirSync(dataDir, { recursive: true });
  const entry = join(realpathSync(dataDir), 'database');
  const located = locatePostgresPrograms(settings.bin);
  const { home, programs, runner } = isLink(entry)
    ? createDedicatedLocation(readlinkSync(entry), located)
    : chooseClusterLocation(entry, located);
  if (!existsSync(home)) await initializeCluster(home, { programs, runner, sync: settings.sync });
  if (home !== entry && !isLink(entry)) symlinkSync(home, entry);
  return {
    folder: join(home, 'cluster'),
    passwordFile: join(home, 'password'),
    socketFolder: chooseSocketFolder(home),
    logFile: join(home, 'postgres.log'),
    programs,
    runner,
  };
};

/** The port of the embedded server, which is only part of the name of its socket. */
export const embeddedPort = 5432;

/** The longest path of a Unix socket, in bytes, that Linux and macOS allow. */
const maxSocketPathBytes = 103;

/**
 * Returns the folder of the server's Unix socket: within `home`, or in the folder for temporary files when that path would
 * be too long for a socket, or has a comma, at which PostgreSQL would divide it.
 */
const chooseSocketFolder = (home: string): string => {
  const own = join(home, 'socket');
  const isShort = Buffer.byteLength(getSocketPath(own, embeddedPort)) <= maxSocketPathBytes;
  return isShort && !own.includes(',') ? own : join(tmpdir(), `quad-${hashPath(home)}`);
};

/** Creates the folder of the server's Unix socket. Throws when somebody else owns it or may enter it. */
export const createSocketFolder = ({ socketFolder, runner: { uid, gid } }: PostgresCluster): void => {
  mkdirSync(socketFolder, { recursive: true, mode: 0o700 });
  // A link that somebody placed there is not followed, and is refused below.
  if (uid !== undefined && gid !== undefined) lchownSync(socketFolder, uid, gid);
  const { uid: owner, mode } = lstatSync(socketFolder);
  if (process.getuid && (owner !== (uid ?? process.getuid()) || (mode & 0o077) !== 0))
    throw new Error(`${socketFolder} must belong to the account of the database, with mode 700.`);
};

interface ClusterLocation {
  home: string;
  programs: PostgresPrograms;
  runner: ProgramRunner;
}

const chooseClusterLocation = (entry: string, programs: PostgresPrograms): ClusterLocation => {
  const runner = chooseProgramRunner(programs, existsSync(entry) ? entry : dirname(entry));
  if (runner) return { home: entry, programs, runner };
  if (existsSync(entry)) {
    throw new Error(
      `${entry} holds a database that this account cannot run. Run as its owner, or set QUAD_DATABASE_URL.`,
    );
  }
  return createDedicatedLocation(join(systemDataFolder, hashPath(entry)), programs);
};

const createDedicatedLocation = (home: string, programs: PostgresPrograms): ClusterLocation => {
  mkdirSync(systemDataFolder, { recursive: true, mode: 0o755 });
  const runner = findAccountRunner(systemAccountName) ?? createSystemAccount();
  if (canRunAndWrite(runner, programs.postgres, '/tmp')) return { home, programs, runner };
  const folder = join(systemDataFolder, `programs-${programs.version}`);
  if (!existsSync(folder)) {
    const unfinished = `${folder}.${process.pid}`;
    cpSync(programs.folder, unfinished, { recursive: true, verbatimSymlinks: true });
    renameUnlessExists(unfinished, folder);
  }
  const moved = (file: string) => file.replace(programs.folder, folder);
  return {
    home,
    runner,
    programs: { ...programs, folder, initdb: moved(programs.initdb), postgres: moved(programs.postgres) },
  };
};

const createSystemAccount = (): ProgramRunner => {
  try {
    execFileSync('useradd', [
      '--system',
      '--user-group',
      '--home-dir',
      systemDataFolder,
      '--shell',
      '/usr/sbin/nologin',
      systemAccountName,
    ]);
  } catch {
    // Ignore the error: another process may have created the account in the meantime, and the lines below
    // check that it exists.
  }
  const runner = findAccountRunner(systemAccountName);
  if (runner) return runner;
  throw new Error(
    'PostgreSQL refuses to run as root, and neither a user namespace nor an account of its own could be had. ' +
      'Start Quad as an ordinary user, or set QUAD_DATABASE_URL.',
  );
};

const initializeCluster = async (
  home: string,
  options: { programs: PostgresPrograms; runner: ProgramRunner; sync: boolean },
) => {
  removeUnfinishedClusters(home);
  const unfinished = mkdtempSync(`${home}.new-${process.pid}-`);
  const passwordFile = join(unfinished, 'password');
  writeFileSync(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
  const { prefix, ...identity } = options.runner;
  if (identity.uid !== undefined && identity.gid !== undefined) {
    for (const path of [unfinished, passwordFile]) chownSync(path, identity.uid, identity.gid);
  }
  const [command, ...args] = [
    ...prefix,
    options.programs.initdb,
    `--pgdata=${join(unfinished, 'cluster')}`,
    `--username=${embeddedRole}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // PostgreSQL's built-in locale provider is fast and sorts and case-folds Unicode the same way on every
    // machine.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--no-instructions',
    ...(options.sync ? [] : ['--no-sync']),
  ];
  try {
    await promisify(execFile)(command as string, args, {
      ...identity,
      cwd: unfinished,
      env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    });
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    const detail = (error as { stderr?: string }).stderr?.trim();
    throw new Error(`The built-in database could not be created in ${home}.\n${detail ?? String(error)}`, {
      cause: error,
    });
  }
  renameUnlessExists(unfinished, home);
};

/**
 * Renames a finished folder to its final path. If another process has created the target first, deletes the
 * new folder and keeps the existing one.
 */
const renameUnlessExists = (unfinished: string, target: string): void => {
  try {
    renameSync(unfinished, target);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
};

/** Removes unfinished clusters of processes that no longer run. */
const removeUnfinishedClusters = (home: string): void => {
  const start = `${basename(home)}.new-`;
  for (const name of readdirSync(dirname(home)).filter((entry) => entry.startsWith(start))) {
    if (!isProcessAlive(Number.parseInt(name.slice(start.length), 10))) {
      rmSync(join(dirname(home), name), { recursive: true, force: true });
    }
  }
};

const isLink = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
