/** Maximum numbers of open sockets, counted over all hosts. */
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
  /** Releases the slot; must be called once. */
  release(): void;
}

/** Grants connection slots. */
export interface ConnectionLimits {
  /**
   * Acquires a connection slot for a socket of this client address; undefined when the address's
   * quota is used up.
   */
  acquire(address: string): MaybePromise<ConnectionSlot | undefined>;
}

const defaultQuotas: ConnectionQuotas = { perAccount: 20, perAddress: 5000, unauthenticatedPerAddress: 200 };

const changeCount = (counts: Map<string, number>, key: string, by: 1 | -1): void => {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
};

/** Creates connection limits whose counts, by address and by account, are kept in this process. */
export const createConnectionLimits = (quotas: Partial<ConnectionQuotas> = {}) => {
  const { perAccount, perAddress, unauthenticatedPerAddress } = { ...defaultQuotas, ...quotas };
  const openCounts = new Map<string, number>();
  const unauthenticatedCounts = new Map<string, number>();
  const accountCounts = new Map<string, number>();

  const acquire = (address: string) => {
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
    return {
      claim: (account: string): boolean => {
        if (owner === account) return true;
        if (!isOpen || (accountCounts.get(account) ?? 0) >= perAccount) return false;
        uncount();
        changeCount(accountCounts, account, 1);
        owner = account;
        return true;
      },
      release: (): void => {
        isOpen = false;
        changeCount(openCounts, address, -1);
        uncount();
      },
    };
  };
  return { acquire };
};

/** Connection limits that are counted in this process and return synchronously. */
export type LocalConnectionLimits = ReturnType<typeof createConnectionLimits>;
