/**
 * `npm run cluster`: runs Quad on several machines, which are network namespaces of this one: one with nginx,
 * two application hosts, three database machines with Patroni and etcd, and one with Redis and an S3 server.
 * Ctrl-C stops and removes all of them.
 */
import { startCluster } from './cluster.ts';
import { findClusterProblem, installClusterPackages } from './programs.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const fail = (reason: string): never => {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
};

// Exit on these signals, because the cluster is removed when this process exits.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit());
process.once('disconnect', () => process.exit());
try {
  installClusterPackages(say);
} catch (error) {
  fail((error as Error).message);
}
const problem = findClusterProblem();
if (problem) fail(problem);
const cluster = await startCluster({
  port: Number(process.env.PORT ?? 3000),
  settings: { QUAD_DEMO: 'on' },
  say,
}).catch((error: Error) => fail(error.message));
const prefix = cluster.folder.split('/').at(-1);
say(`
Quad is ready at ${cluster.url}. Ctrl-C stops everything.
The files and logs of the machines are in ${cluster.folder}, and commands run on a machine like this:
  ip netns exec ${prefix}-db1 patronictl -c ${cluster.folder}/db1/patroni.yml list
The emails are in the log of the application hosts: tail -f ${cluster.folder}/app?/quad.log`);
