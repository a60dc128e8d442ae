import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What is asked for at the moment somebody reads the metrics. */
export interface Gauges {
  sockets(): number;
  images(): number;
  keptPages(): number;
  /** Jobs by queue and state. */
  jobs(): Promise<{ queue: string; state: string; count: number }[]>;
  /** Connections of all processes by state, and transactions since the database's counters began. */
  database(): Promise<{ connections: Record<string, number>; committed: number; rolledBack: number }>;
}

/** Numbers of one process, for Prometheus. */
export interface Metrics {
  /** A request that was answered; the route, never the address. */
  observeRequest(request: { method: string; route: string; status: number; seconds: number }): void;
  /** A public page that was answered from what is kept, or had to be rendered. */
  countPage(kept: boolean): void;
  /** Says where the rest is asked for. */
  watch(gauges: Gauges): void;
  /** The text that Prometheus reads, and its content type. */
  read(): Promise<{ text: string; contentType: string }>;
  names(): string[];
}

/** Seconds; from a kept page to a photo on a busy machine. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/**
 * Makes the metrics. `ofProcess`: those of Node and the process too (event loop lag, memory, garbage collection), which
 * a process has once.
 */
export const createMetrics = ({ ofProcess = false } = {}): Metrics => {
  const registry = new Registry();
  const registers = [registry];
  if (ofProcess) {
    collectDefaultMetrics({ register: registry });
    // Several workers answer on one port, one at a time: each has series of its own.
    registry.setDefaultLabels({ process: String(process.pid) });
  }

  const durations = new Histogram({
    name: 'quad_http_request_duration_seconds',
    help: 'How long requests took, by method and route; its count is how many there were',
    labelNames: ['method', 'route', 'status'] as const,
    buckets,
    registers,
  });
  const pages = new Counter({
    name: 'quad_pages_total',
    help: 'Public pages answered: kept ones and rendered ones',
    labelNames: ['from'] as const,
    registers,
  });
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name, help, labelNames, registers });
  const sockets = gauge('quad_sockets', 'Open sockets of this process');
  const images = gauge('quad_images_waiting', 'Pictures being processed or waiting for it in this process');
  const keptPages = gauge('quad_pages_kept', 'Public pages this process keeps ready');
  const jobs = gauge('quad_jobs', 'Jobs of the whole deployment, by queue and state', ['queue', 'state']);
  const up = gauge('quad_database_up', 'Whether the database answered');
  const connections = gauge('quad_database_connections', 'Connections to the database, by state', ['state']);
  const transactions = gauge(
    'quad_database_transactions',
    'Transactions of the database since its statistics began, by end',
    ['end'],
  );
  let watched: Gauges | undefined;

  const collect = async ({ database, ...others }: Gauges): Promise<void> => {
    sockets.set(others.sockets());
    images.set(others.images());
    keptPages.set(others.keptPages());
    jobs.reset();
    connections.reset();
    try {
      const state = await database();
      for (const [name, count] of Object.entries(state.connections)) connections.set({ state: name }, count);
      transactions.set({ end: 'committed' }, state.committed);
      transactions.set({ end: 'rolled back' }, state.rolledBack);
      for (const { queue, state: name, count } of await others.jobs())
        jobs.set({ queue, state: name }, count);
      up.set(1);
    } catch {
      up.set(0);
    }
  };

  return {
    observeRequest: ({ method, route, status, seconds }) =>
      durations.observe({ method, route, status }, seconds),
    countPage: (kept) => pages.inc({ from: kept ? 'kept' : 'rendered' }),
    watch: (gauges) => {
      watched = gauges;
    },
    read: async () => {
      if (watched) await collect(watched);
      return { text: await registry.metrics(), contentType: registry.contentType };
    },
    names: () => registry.getMetricsAsArray().map(({ name }) => name),
  };
};
