import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { serverVersion } from '#server/platform/process/version.ts';

/** The number of jobs of a queue that are in a state. */
interface QueueCount {
  queue: string;
  state: string;
  count: number;
}

/** The version of the database, the numbers of connections of all processes by state, and of transactions since the database's statistics were reset. */
interface DatabaseState {
  version: string;
  connections: Record<string, number>;
  committed: number;
  rolledBack: number;
}

/** Functions that return the current values of gauges. They are called on each scrape. */
export interface GaugeReaders {
  sockets(): number;
  images(): number;
  cachedPages(): number;
  jobs(): Promise<QueueCount[]>;
  database(): Promise<DatabaseState>;
}

/** Metrics for Prometheus. */
export interface Metrics {
  /** Counts a finished request by its route, never by its URL. */
  observeRequest(request: { method: string; route: string; status: number; seconds: number }): void;
  /** Counts a public page that was served, either from the cache (`cached`) or newly rendered. */
  countPage(cached: boolean): void;
  /** Counts a search by the kind of database server that handled it. */
  countSearch(server: 'standby' | 'primary'): void;
  /**
   * Records by how many seconds a standby is behind the primary. Pass undefined when the standby is not used.
   */
  observeStandby(standby: string, lagSeconds: number | undefined): void;
  /** Increments the number of failovers, in which another server becomes the primary of the database. */
  countFailover(): void;
  /** Registers the functions that return the values of the gauges. */
  watch(gauges: GaugeReaders): void;
  /**
   * Returns the metrics of all processes on this machine and those about the whole deployment, as
   * Prometheus text with its content type.
   */
  read(): Promise<{ text: string; contentType: string }>;
  /** Returns the metrics of this process alone, in Prometheus text format. */
  readOwn(): Promise<string>;
  names(): string[];
}

/** Bucket bounds of request durations: from a cached page (1 ms) to a photo upload on a busy machine (10 s). */
const bucketBoundsInSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/**
 * Merges the metrics of several processes into one text: each metric is described once, followed by the series of all
 * processes, which a label tells apart. They are never summed, because a sum would drop when a process dies; Prometheus
 * would treat that as a counter reset and count everything twice.
 */
const mergeMetricsTexts = (texts: readonly string[]): string => {
  const metrics = new Map<string, string[]>();
  for (const metric of texts.flatMap((text) => text.trimEnd().split('\n\n'))) {
    const [help = '', type = '', ...series] = metric.split('\n');
    const description = `${help}\n${type}`;
    metrics.set(description, [...(metrics.get(description) ?? []), ...series]);
  }
  return `${[...metrics].map((lines) => lines.flat().join('\n')).join('\n\n')}\n`;
};

/** Registers the metrics that this process records itself. */
const registerRecordedMetrics = (registry: Registry) => {
  const registers = [registry];
  new Gauge({
    name: 'quad_build_info',
    help: 'Always 1; its label is the version that this process runs',
    labelNames: ['version'],
    registers,
  }).set({ version: serverVersion }, 1);
  return {
    durations: new Histogram({
      name: 'quad_http_request_duration_seconds',
      help: 'How long requests took, by method and route; its count is how many there were',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: bucketBoundsInSeconds,
      registers,
    }),
    pages: new Counter({
      name: 'quad_pages_total',
      help: 'Public pages sent, by whether they came from the cache or were rendered',
      labelNames: ['from'] as const,
      registers,
    }),
    searches: new Counter({
      name: 'quad_searches_total',
      help: 'Searches, by the server of the database that served them; only with QUAD_DATABASE_READ_URL',
      labelNames: ['server'] as const,
      registers,
    }),
    standbyLag: new Gauge({
      name: 'quad_standby_lag_seconds',
      help: 'Upper bound of the lag of each standby that serves searches',
      labelNames: ['standby'] as const,
      registers,
    }),
    failovers: new Counter({
      name: 'quad_database_failovers_total',
      help: 'How often this process saw another server become the primary of the database',
      registers,
    }),
  };
};

/** Registers the gauges of this process; returns a function that sets them from their readers. */
const registerProcessGauges = (registry: Registry): ((readers: GaugeReaders) => void) => {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const sockets = gauge('quad_sockets', 'Open sockets of this process');
  const images = gauge('quad_images_waiting', 'Pictures being processed or waiting for it in this process');
  const cachedPages = gauge('quad_cached_pages', 'Public pages in the cache of this process');
  return (readers) => {
    sockets.set(readers.sockets());
    images.set(readers.images());
    cachedPages.set(readers.cachedPages());
  };
};

/**
 * Registers the gauges of the whole deployment; returns a function that sets them. The state of the database is undefined
 * when it did not answer.
 */
const registerSharedGauges = (registry: Registry) => {
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const jobs = gauge('quad_jobs', 'Jobs of the whole deployment, by queue and state', ['queue', 'state']);
  const up = gauge('quad_database_up', 'Whether the database answered');
  const info = gauge('quad_database_info', 'Always 1; its label is the version of PostgreSQL', ['version']);
  const connections = gauge('quad_database_connections', 'Connections to the database, by state', ['state']);
  const transactions = new Counter({
    name: 'quad_database_transactions_total',
    help: 'Transactions of the database since its statistics began, by end',
    labelNames: ['end'],
    registers: [registry],
  });
  return (state: DatabaseState | undefined, queues: readonly QueueCount[]): void => {
    connections.reset();
    info.reset();
    jobs.reset();
    transactions.reset();
    up.set(state ? 1 : 0);
    if (state) {
      info.set({ version: state.version }, 1);
      for (const [name, count] of Object.entries(state.connections)) connections.set({ state: name }, count);
      for (const [end, count] of [
        ['committed', state.committed],
        ['rolled back', state.rolledBack],
      ] as const)
        transactions.inc({ end }, count);
    }
    for (const { queue, state: name, count } of queues) jobs.set({ queue, state: name }, count);
  };
};

/**
 * Creates the metrics. With `workerIndex`, all series of this worker process carry that index as a
 * label, and Node's process metrics (event loop lag, memory, garbage collection) are added. Node's
 * metrics may be registered only once per process. `readOthers` returns the metrics of the other
 * workers as texts.
 */
export const createMetrics = ({
  workerIndex,
  readOthers = async () => [],
}: {
  workerIndex?: number;
  readOthers?: () => Promise<string[]>;
} = {}): Metrics => {
  const registry = new Registry();
  /**
   * Metrics about the whole deployment have their own registry, because every process would report the same
   * values.
   */
  const shared = new Registry();
  if (workerIndex !== undefined) {
    collectDefaultMetrics({ register: registry });
    registry.setDefaultLabels({ process: String(workerIndex) });
  }
  const { durations, pages, searches, standbyLag, failovers } = registerRecordedMetrics(registry);
  const setProcessGauges = registerProcessGauges(registry);
  const setSharedGauges = registerSharedGauges(shared);
  let watched: GaugeReaders | undefined;

  const readOwn = (): Promise<string> => {
    if (watched) setProcessGauges(watched);
    return registry.metrics();
  };

  const readShared = async (): Promise<string> => {
    if (!watched) return shared.metrics();
    const reading = Promise.all([watched.database(), watched.jobs()]);
    const [state, queues] = await reading.catch(() => [undefined, []] as const);
    // There must be no `await` below: a concurrent scrape could otherwise read half-updated gauges.
    setSharedGauges(state, queues);
    return shared.metrics();
  };

  return {
    observeRequest: ({ method, route, status, seconds }) =>
      durations.observe({ method, route, status }, seconds),
    countPage: (cached) => pages.inc({ from: cached ? 'kept' : 'rendered' }),
    countSearch: (server) => searches.inc({ server }),
    observeStandby: (standby, lagSeconds) => {
      if (lagSeconds === undefined) standbyLag.remove({ standby });
      else standbyLag.set({ standby }, lagSeconds);
    },
    countFailover: () => failovers.inc(),
    watch: (gauges) => {
      watched = gauges;
    },
    read: async () => {
      const [own, sharedText, others] = await Promise.all([readOwn(), readShared(), readOthers()]);
      return { text: mergeMetricsTexts([own, sharedText, ...others]), contentType: registry.contentType };
    },
    readOwn,
    names: () => [registry, shared].flatMap((each) => each.getMetricsAsArray()).map(({ name }) => name),
  };
};
