import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

/**
 * A network of simulated machines. The machines are network namespaces, connected by a bridge in a separate
 * namespace. They cannot reach anything outside; their addresses are those that RFC 2544 reserves for tests.
 */
export interface ClusterNetwork<Name extends string = string> {
  addressOf(name: Name): string;
  /** Returns the command and arguments that execute `command` on a machine. */
  commandOn(name: Name, command: string[]): [string, string[]];
  /** Runs a program on a machine and returns its output. */
  run(name: Name, command: string[], env?: NodeJS.ProcessEnv): Promise<string>;
  /** Sends a signal to all processes of a machine. */
  signal(name: Name, signal: NodeJS.Signals): void;
  /** Drops all packets between two machines, until `heal` is called for the same two machines. */
  cut(one: Name, other: Name): void;
  heal(one: Name, other: Name): void;
  /** Kills all processes of all machines, and removes the machines. */
  remove(): void;
}

const folderPrefix = 'quad-cluster-';
const ownerFile = 'owner.pid';

const ip = (...args: string[]): string => execFileSync('/bin/ip', args, { encoding: 'utf8', stdio: 'pipe' });

const listNamespaces = (prefix: string): string[] =>
  existsSync('/run/netns') ? readdirSync('/run/netns').filter((name) => name.startsWith(prefix)) : [];

const signalNamespace = (namespace: string, signal: NodeJS.Signals): void => {
  for (const pid of ip('netns', 'pids', namespace).split('\n').filter(Boolean)) {
    try {
      process.kill(Number(pid), signal);
    } catch {
      // The process has ended in the meantime.
    }
  }
};

const removeNamespaces = (prefix: string): void => {
  // Goes through the namespaces twice, to find processes that started while others were being killed.
  for (const namespace of [...listNamespaces(prefix), ...listNamespaces(prefix)])
    signalNamespace(namespace, 'SIGKILL');
  for (const namespace of listNamespaces(prefix)) {
    ip('netns', 'delete', namespace);
    rmSync(join('/etc/netns', namespace), { recursive: true, force: true });
  }
};

const isRunning = (pid: number): boolean => existsSync(`/proc/${pid}`);

/** Removes the machines and folders of clusters whose process was killed. */
export const removeAbandonedClusters = (): void => {
  for (const name of readdirSync(tmpdir()).filter((each) => each.startsWith(folderPrefix))) {
    const file = join(tmpdir(), name, ownerFile);
    if (existsSync(file) && isRunning(Number(readFileSync(file, 'utf8')))) continue;
    removeNamespaces(`${name}-`);
    rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
};

/**
 * Creates the machines of a cluster. The name of the cluster's `folder` must begin with
 * `clusterFolderPrefix`.
 */
export const createClusterNetwork = <Name extends string>(
  folder: string,
  names: readonly Name[],
): ClusterNetwork<Name> => {
  const prefix = `${basename(folder)}-`;
  const namespaceOf = (name: string): string => `${prefix}${name}`;
  const addressOf = (name: Name): string => `198.18.0.${10 + names.indexOf(name)}`;
  writeFileSync(join(folder, ownerFile), String(process.pid));
  const hosts = ['127.0.0.1 localhost', ...names.map((name) => `${addressOf(name)} ${name}`), ''].join('\n');

  const bridge = namespaceOf('switch');
  ip('netns', 'add', bridge);
  ip('-n', bridge, 'link', 'add', 'name', 'bridge', 'type', 'bridge');
  ip('-n', bridge, 'link', 'set', 'dev', 'bridge', 'up');
  for (const name of names) {
    const namespace = namespaceOf(name);
    ip('netns', 'add', namespace);
    ip('-n', bridge, ...`link add name ${name} type veth peer name eth0 netns ${namespace}`.split(' '));
    ip('-n', bridge, ...`link set dev ${name} master bridge up`.split(' '));
    ip('-n', namespace, ...`addr add ${addressOf(name)}/24 dev eth0`.split(' '));
    for (const device of ['lo', 'eth0']) ip('-n', namespace, 'link', 'set', 'dev', device, 'up');
    // `ip netns exec` makes the files of this folder appear in /etc for the programs of the machine.
    mkdirSync(join('/etc/netns', namespace), { recursive: true });
    writeFileSync(join('/etc/netns', namespace, 'hosts'), hosts);
  }
  const commandOn = (name: Name, command: string[]): [string, string[]] => [
    '/bin/ip',
    ['netns', 'exec', namespaceOf(name), ...command],
  ];
  const changeRoutes = (action: 'add' | 'delete', one: Name, other: Name): void => {
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const)
      ip('-n', namespaceOf(from), 'route', action, 'blackhole', `${addressOf(to)}/32`);
  };
  return {
    addressOf,
    commandOn,
    run: async (name, command, env = process.env) =>
      (await promisify(execFile)(...commandOn(name, command), { env })).stdout,
    signal: (name, signal) => signalNamespace(namespaceOf(name), signal),
    cut: (one, other) => changeRoutes('add', one, other),
    heal: (one, other) => changeRoutes('delete', one, other),
    remove: () => removeNamespaces(prefix),
  };
};

/** The path with which the names of all clusters' folders begin; for `mkdtemp`. */
export const clusterFolderPrefix = join(tmpdir(), folderPrefix);
