import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';
import { record } from './results.ts';

/** One of two servers that return the same responses. */
export interface Runner {
  origin: string;
  /** Process id. */
  pid: number;
}

/** Results of a server for a path: medians of the rounds. */
export interface Laps {
  perSecond: number;
  /** CPU time of the server per response in microseconds; NaN where the system does not report it. */
  cost: number;
}

const connections = 32;
const rounds = 5;
const ticksPerSecond = 100;

const cpuMicros = (pid: number): number => {
  try {
    // After the name in parentheses, user and system time are the 12th and 13th fields (proc_pid_stat(5)).
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return ((Number(fields[11]) + Number(fields[12])) * 1e6) / ticksPerSecond;
  } catch {
    return Number.NaN;
  }
};

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** The request to both: a GET, or a POST whose body is created for each request. A path may be, too. */
export interface BenchRequest {
  path: string | (() => string);
  headers: Record<string, string>;
  post?: () => object;
}

const lap = async ({ origin, pid }: Runner, { path, headers, post }: BenchRequest, seconds: number) => {
  const pathNow = typeof path === 'string' ? () => path : path;
  const get =
    typeof path === 'string'
      ? undefined
      : [{ setupRequest: (request: object) => ({ ...request, path: path() }) }];
  const requests = post
    ? [
        {
          method: 'POST' as const,
          headers: { ...headers, 'content-type': 'application/json' },
          setupRequest: (request: object) => ({ ...request, path: pathNow(), body: JSON.stringify(post()) }),
        },
      ]
    : get;
  const before = cpuMicros(pid);
  const responses = await autocannon({
    url: origin + pathNow(),
    connections,
    duration: seconds,
    headers,
    ...(requests ? { requests } : {}),
  });
  const { non2xx, errors } = responses;
  if (non2xx > 0 || errors > 0) throw new Error(`${origin}${pathNow()}: ${non2xx} refused, ${errors} failed`);
  return {
    perSecond: responses.requests.average,
    cost: (cpuMicros(pid) - before) / responses.requests.total,
  };
};

/** Results of two servers that took turns. Ratios are medians over rounds, since both laps of a round saw the same load. */
export interface Race {
  ours: Laps;
  baseline: Laps;
  /** Ratio of Quad's responses per second to the baseline's. */
  speed: number;
  /** Ratio of the baseline's CPU time per response to Quad's. */
  cpuRatio: number;
}

/** Measures two servers in turn with the same request, so that other load on the machine affects both equally. */
export const race = async (
  [ours, baseline]: readonly [Runner, Runner],
  request: BenchRequest,
  seconds = 2,
): Promise<Race> => {
  for (const runner of [ours, baseline]) await lap(runner, request, 2 * seconds);
  const laps: { ours: Laps; baseline: Laps }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    laps.push({
      ours: await lap(ours, request, seconds),
      baseline: await lap(baseline, request, seconds),
    });
  }
  const medianOf = (value: (round: { ours: Laps; baseline: Laps }) => number) => median(laps.map(value));
  return {
    ours: { perSecond: medianOf((r) => r.ours.perSecond), cost: medianOf((r) => r.ours.cost) },
    baseline: { perSecond: medianOf((r) => r.baseline.perSecond), cost: medianOf((r) => r.baseline.cost) },
    speed: medianOf((r) => r.ours.perSecond / r.baseline.perSecond),
    cpuRatio: medianOf((r) => r.baseline.cost / r.ours.cost),
  };
};

/**
 * Returns a row of the table and records it. The goal applies to responses per second; CPU time is the better measure on
 * a shared machine, and when the load generator is too slow to keep a server busy.
 */
export const raceLine = (name: string, { ours, baseline, speed, cpuRatio }: Race, goal: number): string => {
  const verdict = speed >= goal ? 'met' : 'MISSED';
  record({
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
    ours.cost.toFixed(1).padStart(9),
    baseline.cost.toFixed(1).padStart(9),
    `${(cpuRatio * 100).toFixed(0)} %`.padStart(8),
    `  ≥ ${goal * 100} %: ${verdict}`,
  ].join(' ');
};

export const raceHead = `${''.padEnd(12)} ours 1/s   baseline 1/s  share   ours µs   baseline µs   share`;
