/** The assumptions of a capacity estimate. Rates are those of the busiest hour; costs are CPU time in µs. */
export interface CapacityAssumptions {
  /** Share of all students who are online in the busiest hour (0 to 1). */
  onlineShare: number;
  /** Number of pages, reads and other requests per hour of each person who is online. */
  pagesPerHour: number;
  readsPerHour: number;
  inboxesPerHour: number;
  messagesPerHour: number;
  transitionsPerHour: number;
  /** Share of all pages that must be rendered because they are not cached (0 to 1). */
  renderedShare: number;
  socketsPerPerson: number;

  /** CPU time per request of a Quad process that serves requests, from docs/performance.md. */
  cachedPageUs: number;
  renderedPageUs: number;
  readUs: number;
  inboxUs: number;
  messageUs: number;
  transitionUs: number;
  /** CPU time for opening a socket and joining two topics. */
  reconnectUs: number;
  /** CPU time per request of the primary database server. */
  databaseReadUs: number;
  databaseInboxUs: number;
  databaseMessageUs: number;
  databaseTransitionUs: number;
  databaseReconnectUs: number;
  /** CPU time that replication to the standbys adds, as a share of the primary's other work. */
  replicationShare: number;

  coresPerHost: number;
  databaseHostCores: number;
  /** Share of each core that may be used in the busiest hour (0 to 1). */
  utilization: number;
  socketsPerProcess: number;
  kilobytesPerSocket: number;
  connectionsPerProcess: number;
  /** Number of hosts that may fail without exceeding `utilization` on the others. */
  spareHosts: number;
  /** Number of reverse proxies that share the sockets. */
  proxies: number;

  /** Delays in seconds before a client's attempts to reconnect; the last one repeats. */
  reconnectDelays: readonly number[];
  /** Maximum random addition to each delay, as a share of the delay. */
  reconnectJitter: number;
  /** Time in seconds after which a client gives up a single attempt to reconnect. */
  joinTimeout: number;
}

export const defaultAssumptions: CapacityAssumptions = {
  onlineShare: 0.2,
  pagesPerHour: 40,
  readsPerHour: 20,
  inboxesPerHour: 10,
  messagesPerHour: 5,
  transitionsPerHour: 0.5,
  renderedShare: 0.1,
  socketsPerPerson: 1,

  cachedPageUs: 50,
  renderedPageUs: 5_000,
  readUs: 589,
  inboxUs: 563,
  messageUs: 248,
  transitionUs: 2_639,
  reconnectUs: 1_100,
  databaseReadUs: 589,
  databaseInboxUs: 563,
  databaseMessageUs: 300,
  databaseTransitionUs: 3_042,
  databaseReconnectUs: 400,
  replicationShare: 0.2,

  coresPerHost: 8,
  databaseHostCores: 16,
  utilization: 0.5,
  socketsPerProcess: 10_000,
  kilobytesPerSocket: 16.3,
  connectionsPerProcess: 21,
  spareHosts: 1,
  proxies: 1,

  reconnectDelays: [1, 2, 5, 10],
  reconnectJitter: 0.2,
  joinTimeout: 10,
};
