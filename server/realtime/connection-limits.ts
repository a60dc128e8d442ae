/** Maximum numbers of open sockets, counted over all hosts that share a database. */
export interface ConnectionQuotas {
  /** Sockets per account; every open tab has one. */
  perAccount: number;
  /** Sockets per client address; a whole campus may share one address. */
  perAddress: number;
  /** Sockets per client address that have not authenticated yet. */
  unauthenticatedPerAddress: number;
}

type MaybePromise<Value> = Value | Promise<Value>;

/** Represents one open socket, which counts toward the quotas until the slot is released. */
export interface ConnectionSlot {
  /**
   * Counts the socket toward the account's quota and returns true. If the quota is used up, returns
   * false and changes nothing.
   */
  claim(account: string): MaybePromise<boolean>;
  /** Releases the slot. It must be called exactly once. */
  release(): void;
}

/** Grants connection slots to sockets while the quotas allow it. */
export interface ConnectionLimits {
  /**
   * Acquires a connection slot for a socket from this client address. Returns undefined when the quota of the
   * address is used up.
   */
  acquire(address: string): MaybePromise<ConnectionSlot | undefined>;
}

export const defaultConnectionQuotas: ConnectionQuotas = {
  perAccount: 20,
  perAddress: 5000,
  unauthenticatedPerAddress: 200,
};

const changeCount = (counts: Map<string, number>, key: string, by: 1 | -1): void => {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
};

/** A connection slot whose socket is counted in the memory of this process. */
export interface LocalConnectionSlot extends ConnectionSlot {
  claim(account: string): boolean;
  /**
   * Counts the socket toward the account's quota in addition to its current quota, until `settle` is called.
   * Returns false and changes nothing if the account's quota is used up.
   */
  reserve(account: string): boolean;
  /**
   * Ends a reservation. If it is granted, the socket now counts toward the account only; otherwise it counts
   * as it did before the reservation. Returns whether the socket counts toward the account.
   */
  settle(account: string, isGranted: boolean): boolean;
  /** Id of the account toward which the socket counts, or undefined while the socket is unauthenticated. */
  owner(): string | undefined;
}

/** Connection limits that are counted in this process and return synchronously. */
export interface LocalConnectionLimits extends ConnectionLimits {
  acquire(address: string): LocalConnectionSlot | undefined;
  /**
   * Numbers of open sockets: all sockets by client address, unauthenticated ones by client address, and
   * authenticated ones by account.
   */
  counts: {
    open: ReadonlyMap<string, number>;
    unauthenticated: ReadonlyMap<string, number>;
    accounts: ReadonlyMap<string, number>;
  };
}

/** Creates connection limits whose counts, by address and by account, are kept in this process. */
export const createConnectionLimits = (quotas: Partial<ConnectionQuotas> = {}): LocalConnectionLimits => {
  const { perAccount, perAddress, unauthenticatedPerAddress } = { ...defaultConnectionQuotas, ...quotas };
  const openCounts = new Map<string, number>();
  const unauthenticatedCounts = new Map<string, number>();
  const accountCounts = new Map<string, number>();

  const acquire = (address: string): LocalConnectionSlot | undefined => {
    if (
      (openCounts.get(address) ?? 0) >= perAddress ||
      (unauthenticatedCounts.get(address) ?? 0) >= unauthenticatedPerAddress
    ) {
      return undefined;
    }
    changeCount(openCounts, address, 1);
    changeCount(unauthenticatedCounts, address, 1);
    let owner: string | undefined;
    let isOpen = true;
    const uncount = (): void =>
      owner === undefined
        ? changeCount(unauthenticatedCounts, address, -1)
        : changeCount(accountCounts, owner, -1);
    const reserve = (account: string): boolean => {
      if (!isOpen || (accountCounts.get(account) ?? 0) >= perAccount) return false;
      changeCount(accountCounts, account, 1);
      return true;
    };
    const settle = (account: string, isGranted: boolean): boolean => {
      if (!isGranted || !isOpen) {
        changeCount(accountCounts, account, -1);
        return false;
      }
      uncount();
      owner = account;
      return true;
    };
    return {
      claim: (account) => owner === account || (reserve(account) && settle(account, true)),
      reserve,
      settle,
      owner: () => owner,
      release: (): void => {
        isOpen = false;
        changeCount(openCounts, address, -1);
        uncount();
      },
    };
  };
  return {
    acquire,
    counts: { open: openCounts, unauthenticated: unauthenticatedCounts, accounts: accountCounts },
  };
};
