/**
 * `npm run chaos:cluster`: writes 50,000 messages and deal transitions while 20 failovers and other faults
 * happen to a cluster on this machine (`npm run cluster`). For other numbers: `npm run chaos:cluster --
 * <messages and transitions> <failovers>`.
 */
import { startCluster } from '../cluster/cluster.ts';
import { findClusterProblem, installClusterPackages } from '../cluster/programs.ts';
import { type FaultResult, runClusterChaos } from './cluster-chaos.ts';
import type { ClusterFaultName } from './cluster-faults.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const failovers: ClusterFaultName[] = [
  'PostgreSQL crashes',
  'the primary is lost',
  'the primary freezes',
  'planned switchover',
  'the primary is cut off from the other database machines',
];
const otherFaults: ClusterFaultName[] = [
  'rolling upgrade',
  'an application host is lost',
  'a cut between primary and standby',
  'Redis is lost',
  'rolling upgrade with a migration',
  "etcd's leader is lost",
];

/**
 * Returns a list of faults: the given number of failovers of all kinds, with the other faults between them.
 */
const planFaults = (failoverCount: number): ClusterFaultName[] => {
  const waiting = [...otherFaults];
  const every = Math.max(1, Math.floor(failoverCount / otherFaults.length));
  const planned = Array.from({ length: failoverCount }, (_, index) => {
    const failover = failovers[index % failovers.length] as ClusterFaultName;
    return index % every === 0 ? [...waiting.splice(0, 1), failover] : [failover];
  });
  return [...planned.flat(), ...waiting];
};

/** Returns the median, the 95th percentile and the maximum of values in ms, as text in seconds. */
const summarize = (values: number[]): string => {
  const sorted = values.toSorted((one, other) => one - other);
  return [0.5, 0.95, 1]
    .map((part) => ((sorted[Math.ceil(part * sorted.length) - 1] ?? 0) / 1000).toFixed(1))
    .join(' / ');
};

const reportRow = (...cells: (string | number)[]): void => say(`| ${cells.join(' | ')} |`);

/**
 * Prints the effects of each kind of fault as a Markdown table, with times as median / 95th percentile /
 * maximum in seconds.
 */
const reportFaults = (results: FaultResult[]): void => {
  reportRow('fault', 'times', 'until promotion', 'until first write', 'promotion until all caught up', '5xx');
  reportRow('---', '---', '---', '---', '---', '---');
  const report = (title: string, rows: FaultResult[]): void =>
    reportRow(
      title,
      rows.length,
      rows[0]?.promotedMs === undefined ? '' : summarize(rows.map(({ promotedMs = 0 }) => promotedMs)),
      summarize(rows.map(({ firstWriteMs }) => firstWriteMs)),
      summarize(rows.map(({ caughtUpMs }) => caughtUpMs)),
      rows.reduce((sum, { serverErrors }) => sum + serverErrors, 0),
    );
  report(
    'all failovers',
    results.filter(({ promotedMs }) => promotedMs !== undefined),
  );
  for (const [name, rows] of Map.groupBy(results, (each) => each.name)) report(name, rows);
};

const [lines = 50_000, failoverCount = 20] = process.argv.slice(2).map(Number);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
try {
  installClusterPackages(say);
  const problem = findClusterProblem();
  if (problem) throw new Error(problem);
  const settings = { QUAD_DEMO: 'off', QUAD_RATE_LIMITS: 'off', NODE_ENV: 'test' };
  const cluster = await startCluster({ port: Number(process.env.PORT ?? 3000), settings, say });
  const result = await runClusterChaos(cluster, {
    conversations: 10,
    lines,
    pauseMs: 200,
    faults: planFaults(failoverCount),
    say,
  });
  reportFaults(result.faults);
  const { messages, transitions, seconds, searcher } = result;
  say(
    `${messages} messages and ${transitions} transitions in ${seconds} s: nothing lost, doubled or out of order.`,
  );
  say(
    `${searcher.changes} changes of a listing were searched for: ${searcher.foundLater} were not in the first response, the longest ${searcher.longestMissingMs} ms after the acknowledgment.`,
  );
  say(
    `Standbys served searches again at most ${Math.max(...result.faults.map(({ standbySearchesMs }) => standbySearchesMs))} ms after each repair.`,
  );
  cluster.close();
  process.exit(0);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
