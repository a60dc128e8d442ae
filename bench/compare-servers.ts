import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';
import { recordResult } from './results.ts';

/** One of the two servers that a benchmark compares; both return the same responses. */
export interface ComparedServer {
  origin: string;
  /** Process id of the server. */
  pid: number;
}

/** The throughput of one server for a path, in one round or as the median over all rounds. */
export interface Throughput {
  /** Number of responses per second. */
  perSecond: number;
  /** CPU time of the server per response in microseconds; NaN where the system does not report it. */
  cpuMicroseconds: number;
}

const connectionCount = 32;
const roundCount = 5;
const cpuTicksPerSecond = 100;

/** Returns the CPU time that a process has used, in microseconds; NaN where the system does not report it. */
export const readCpuMicroseconds = (pid: number): number => {
  try {
    // Removes the process id and the command name in parentheses. Of the remaining fields, the 12th
    // is the user time and the 13th is the system time (proc_pid_stat(5)).
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return ((Number(fields[11]) + Number(fields[12])) * 1e6) / cpuTicksPerSecond;
  } catch {
    return Number.NaN;
  }
};

/** Returns the median of numbers in any order. */
export const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/**
 * The request sent to both servers: a GET, or a POST if `post` is set. `post` creates the body of
 * each request; if `path` is a function, it creates the path of each request.
 */
export interface BenchRequest {
  path: string | (() => string);
  headers: Record<string, string>;
  post?: () => object;
}

const measureThroughput = async (
  { origin, pid }: ComparedServer,
  { path, headers, post }: BenchRequest,
  seconds: number,
) => {
  const createPath = typeof path === 'string' ? () => path : path;
  const get =
    typeof path === 'string'
      ? undefined
      : [{ setupRequest: (request: object) => ({ ...request, path: path() }) }];
  const requests = post
    ? [
        {
          method: 'POST' as const,
          headers: { ...headers, 'content-type': 'application/json' },
          setupRequest: (request: object) => ({
            ...request,
            path: createPath(),
            body: JSON.stringify(post()),
          }),
        },
      ]
    : get;
  const before = readCpuMicroseconds(pid);
  const load = await autocannon({
    url: origin + createPath(),
    connections: connectionCount,
    duration: seconds,
    headers,
    ...(requests ? { requests } : {}),
  });
  const { non2xx, errors } = load;
  if (non2xx > 0 || errors > 0)
    throw new Error(`${origin}${createPath()}: ${non2xx} refused, ${errors} failed`);
  return {
    perSecond: load.requests.average,
    cpuMicroseconds: (readCpuMicroseconds(pid) - before) / load.requests.total,
  };
};

/**
 * The results of two servers, as medians over all rounds. The ratios are computed per round before taking the
 * median, because both servers run under the same machine load within a round.
 */
export interface ServerComparison {
  ours: Throughput;
  baseline: Throughput;
  /** Ratio of Quad's responses per second to the baseline's. */
  speed: number;
  /** Ratio of the baseline's CPU time per response to Quad's. */
  cpuRatio: number;
}

/**
 * Measures two servers in turn with the same request, so that other load on the machine affects both servers
 * equally.
 */
export const compareServers = async (
  [ours, baseline]: readonly [ComparedServer, ComparedServer],
  request: BenchRequest,
  seconds = 2,
): Promise<ServerComparison> => {
  for (const server of [ours, baseline]) await measureThroughput(server, request, 2 * seconds);
  const results: { ours: Throughput; baseline: Throughput }[] = [];
  for (let round = 0; round < roundCount; round += 1) {
    results.push({
      ours: await measureThroughput(ours, request, seconds),
      baseline: await measureThroughput(baseline, request, seconds),
    });
  }
  const medianOf = (value: (round: { ours: Throughput; baseline: Throughput }) => number) =>
    median(results.map(value));
  return {
    ours: {
      perSecond: medianOf((r) => r.ours.perSecond),
      cpuMicroseconds: medianOf((r) => r.ours.cpuMicroseconds),
    },
    baseline: {
      perSecond: medianOf((r) => r.baseline.perSecond),
      cpuMicroseconds: medianOf((r) => r.baseline.cpuMicroseconds),
    },
    speed: medianOf((r) => r.ours.perSecond / r.baseline.perSecond),
    cpuRatio: medianOf((r) => r.baseline.cpuMicroseconds / r.ours.cpuMicroseconds),
  };
};

/**
 * Records a comparison of two servers and returns its row of the printed table. The goal applies only to the
 * ratio of responses per second. On a shared machine, or when the load generator is too slow to keep a server
 * busy, the CPU times in the table are more reliable.
 */
export const recordComparison = (
  name: string,
  { ours, baseline, speed, cpuRatio }: ServerComparison,
  goal: number,
): string => {
  const verdict = speed >= goal ? 'met' : 'MISSED';
  recordResult({
    what: `${name}, responses per second (CPU time: ${(cpuRatio * 100).toFixed(0)} %)`,
    ours: ours.perSecond.toFixed(0),
    limit: baseline.perSecond.toFixed(0),
    ratio: speed,
    goal: `≥ ${goal * 100} %`,
    met: speed >= goal,
  });
  return [
    name.padEnd(12),
    ours.perSecond.toFixed(0).padStart(9),
    baseline.perSecond.toFixed(0).padStart(9),
    `${(speed * 100).toFixed(0)} %`.padStart(8),
    ours.cpuMicroseconds.toFixed(1).padStart(9),
    baseline.cpuMicroseconds.toFixed(1).padStart(9),
    `${(cpuRatio * 100).toFixed(0)} %`.padStart(8),
    `  ≥ ${goal * 100} %: ${verdict}`,
  ].join(' ');
};

export const comparisonTableHeader = `${''.padEnd(12)} ours 1/s   baseline 1/s  share   ours µs   baseline µs   share`;
