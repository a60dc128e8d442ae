import type { CapacityAssumptions } from './assumptions.ts';

/**
 * The load that a number of students causes in the busiest hour, and the hosts, processes and memory that it
 * needs.
 */
export interface CapacityEstimate {
  pagesPerSecond: number;
  readsPerSecond: number;
  messagesPerSecond: number;
  sockets: number;
  /**
   * Number of processor cores that all Quad processes together keep busy. `databaseCores` is the same for the
   * primary database server.
   */
  processCores: number;
  databaseCores: number;
  /**
   * Number of application hosts, including the spare ones. `processes` is the number of Quad processes on all
   * of them.
   */
  hosts: number;
  processes: number;
  /** Memory that the sockets of one host need while all hosts run, in MB. */
  socketMegabytesPerHost: number;
  databaseConnections: number;
  /** Share of each host's CPU time that is used while all hosts run (0 to 1). */
  hostUtilization: number;
}

const microsecondsPerSecond = 1_000_000;
const megabyte = 1_000;

/**
 * Estimates the load that the given number of students causes, and the hosts, processes and memory that it
 * needs.
 */
export const estimateCapacity = (students: number, assumed: CapacityAssumptions): CapacityEstimate => {
  const online = students * assumed.onlineShare;
  const perSecond = (perHour: number): number => (online * perHour) / 3_600;
  const pages = perSecond(assumed.pagesPerHour);
  const reads = perSecond(assumed.readsPerHour);
  const inboxes = perSecond(assumed.inboxesPerHour);
  const messages = perSecond(assumed.messagesPerHour);
  const transitions = perSecond(assumed.transitionsPerHour);
  const rendered = pages * assumed.renderedShare;
  const processCores =
    ((pages - rendered) * assumed.cachedPageUs +
      rendered * assumed.renderedPageUs +
      reads * assumed.readUs +
      inboxes * assumed.inboxUs +
      messages * assumed.messageUs +
      transitions * assumed.transitionUs) /
    microsecondsPerSecond;
  const databaseCores =
    (((rendered + reads) * assumed.databaseReadUs +
      inboxes * assumed.databaseInboxUs +
      messages * assumed.databaseMessageUs +
      transitions * assumed.databaseTransitionUs) *
      (1 + assumed.replicationShare)) /
    microsecondsPerSecond;
  const sockets = online * assumed.socketsPerPerson;
  const neededHosts = Math.max(
    Math.ceil(processCores / (assumed.coresPerHost * assumed.utilization)),
    Math.ceil(sockets / (assumed.coresPerHost * assumed.socketsPerProcess)),
    1,
  );
  const hosts = neededHosts + assumed.spareHosts;
  const processes = hosts * assumed.coresPerHost;
  return {
    pagesPerSecond: pages,
    readsPerSecond: reads,
    messagesPerSecond: messages,
    sockets,
    processCores,
    databaseCores,
    hosts,
    processes,
    socketMegabytesPerHost: (sockets / hosts) * (assumed.kilobytesPerSocket / megabyte),
    databaseConnections: processes * assumed.connectionsPerProcess,
    hostUtilization: processCores / processes,
  };
};

/**
 * Returns how many sockets per second can be reopened with the CPU time that the estimated load leaves unused
 * on `hosts` application hosts and on the primary database server.
 */
export const estimateReconnectRate = (
  { processCores, databaseCores }: CapacityEstimate,
  hosts: number,
  assumed: CapacityAssumptions,
): number => {
  const freeProcessCores = Math.max(0, hosts * assumed.coresPerHost - processCores);
  const freeDatabaseCores = Math.max(0, assumed.databaseHostCores - databaseCores);
  return Math.min(
    (freeProcessCores * microsecondsPerSecond) / assumed.reconnectUs,
    (freeDatabaseCores * microsecondsPerSecond) / assumed.databaseReconnectUs,
  );
};
