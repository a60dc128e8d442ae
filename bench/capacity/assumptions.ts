/** What a capacity estimate assumes. Rates are those of the busiest hour; costs are processor time in µs. */
export interface CapacityAssumptions {
  /** Part of all students who are online in the busiest hour. */
  onlineShare: number;
  /** Requests of each person who is online, per hour. */
  pagesPerHour: number;
  readsPerHour: number;
  inboxesPerHour: number;
  messagesPerHour: number;
  transitionsPerHour: number;
  /** Part of all pages that must be rendered because they are not cached. */
  renderedShare: number;
  socketsPerPerson: number;

  /** Costs of a serving process, from docs/performance.md. */
  cachedPageUs: number;
  renderedPageUs: number;
  readUs: number;
  inboxUs: number;
  messageUs: number;
  transitionUs: number;
  /** Opening a socket and joining two topics. */
  reconnectUs: number;
  /** Costs of the primary. */
  databaseReadUs: number;
  databaseInboxUs: number;
  databaseMessageUs: number;
  databaseTransitionUs: number;
  databaseReconnectUs: number;
  /** Part of the primary's work that replication to the standbys adds. */
  replicationShare: number;

  coresPerHost: number;
  databaseHostCores: number;
  /** Part of a core that is used in the busiest hour. */
  utilization: number;
  socketsPerProcess: number;
  kilobytesPerSocket: number;
  connectionsPerProcess: number;
  /** Hosts that may be lost without exceeding `utilization`. */
  spareHosts: number;
  /** Proxies among which the sockets are divided. */
  proxies: number;

  /** Delays before a client's attempts to reconnect, in seconds; the last one repeats. */
  reconnectDelays: readonly number[];
  /** Part of the delay that is added at random, at most. */
  reconnectJitter: number;
  /** Seconds after which a client gives up an attempt. */
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
