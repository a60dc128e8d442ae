import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** The programs of a cluster, each with the Debian package that contains it. */
const packageByProgram: Record<string, string> = {
  '/usr/lib/postgresql/15/bin/postgres': 'postgresql-15',
  '/usr/bin/patroni': 'patroni',
  // Patroni uses this Python library to access etcd.
  '/usr/lib/python3/dist-packages/etcd/__init__.py': 'python3-etcd',
  '/usr/bin/etcd': 'etcd-server',
  '/usr/bin/etcdctl': 'etcd-client',
  '/usr/bin/pgbackrest': 'pgbackrest',
  '/usr/sbin/nginx': 'nginx-light',
  '/usr/bin/redis-server': 'redis-server',
  '/usr/bin/curl': 'curl',
  '/usr/bin/setpriv': 'util-linux',
  '/bin/ip': 'iproute2',
  '/bin/ss': 'iproute2',
};

const listMissingPackages = (): string[] => [
  ...new Set(
    Object.entries(packageByProgram)
      .filter(([program]) => !existsSync(program))
      .map(([, name]) => name),
  ),
];

/** Returns the reason why this process cannot create network namespaces, or undefined when it can. */
const findNamespaceProblem = (): string | undefined => {
  const name = `quad-probe-${process.pid}`;
  const { status, stderr } = spawnSync('/bin/ip', ['netns', 'add', name], { encoding: 'utf8' });
  if (status !== 0) return `network namespaces cannot be created: ${stderr.trim()}`;
  spawnSync('/bin/ip', ['netns', 'delete', name]);
  return undefined;
};

/**
 * Returns the reason why no cluster can be started on this machine, in one line. Returns undefined when a
 * cluster can be started.
 */
export const findClusterProblem = (): string | undefined => {
  if (process.platform !== 'linux') return 'A cluster needs Linux.';
  if (process.getuid?.() !== 0) return 'A cluster needs root, for network namespaces and the user postgres.';
  const missing = listMissingPackages();
  if (missing.length > 0) return `A cluster needs the Debian packages ${missing.join(', ')}.`;
  const problem = findNamespaceProblem();
  return problem && `A cluster needs namespaces, but ${problem}.`;
};

/**
 * Installs the Debian packages that a cluster needs and that are missing, without starting their services.
 * When that is impossible, throws an error with a one-line message.
 */
export const installClusterPackages = (say: (line: string) => void): void => {
  const missing = listMissingPackages();
  if (missing.length === 0) return;
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    throw new Error(`Install as root, on Debian: apt-get install ${missing.join(' ')}`);
  say(`Installing ${missing.join(', ')} ...`);
  // Debian starts services when it installs them; RUNLEVEL=1 prevents this.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', ...missing],
  ]) {
    const { status, stderr } = spawnSync('apt-get', args, { env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`apt-get ${args[0]} failed: ${stderr.trim().split('\n').at(-1)}`);
  }
};
