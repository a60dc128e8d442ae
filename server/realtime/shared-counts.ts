/** Numbers of open sockets of all hosts. A host is a server with all its workers. */
export interface SharedConnectionCounts {
  /**
   * Stores this host's counts, and returns the sums of the other hosts' counts of the same keys. When two hosts do this
   * at the same time, at least one of them sees the other's count.
   */
  exchange(counts: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, number>>;
  /**
   * Reports that this host is alive, and removes the counts of hosts that are not. Returns whether this host's counts
   * are still stored; if not, the caller stores them again.
   */
  renew(): Promise<boolean>;
  /** Removes this host's counts. */
  close(): Promise<void>;
}

/** How often `renew` is called, in ms. */
export const hostRenewalIntervalMs = 10_000;
/** How long after its last renewal a host counts as dead, in ms. */
export const hostTimeoutMs = 30_000;
