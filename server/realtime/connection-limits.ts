/** Maximum numbers of open sockets, over all processes that share a port. */
export interface ConnectionBounds {
  /** Per account: every tab and device has one. */
  ofAccount: number;
  /** Per client address: a whole campus may share one. */
  ofAddress: number;
  /** Per client address, of sockets that have not authenticated yet. */
  unknownOfAddress: number;
}

type Soon<Value> = Value | Promise<Value>;

/** The slot of one open socket. */
export interface ConnectionSlot {
  /** Counts the socket for this account and returns true, or returns false and changes nothing when the quota is used up. */
  claim(account: string): Soon<boolean>;
  /** Releases the slot; must be called once. */
  leave(): void;
}

/** Grants connection slots. */
export interface ConnectionLimits {
  /** Acquires a slot for a socket of this address; undefined when the quota is used up. */
  enter(address: string): Soon<ConnectionSlot | undefined>;
}

const defaultBounds: ConnectionBounds = { ofAccount: 20, ofAddress: 5000, unknownOfAddress: 200 };

const change = (counts: Map<string, number>, key: string, by: 1 | -1): void => {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
};

/** Counts open sockets by address and account, in this process. */
export const createConnectionLimits = (bounds: Partial<ConnectionBounds> = {}) => {
  const { ofAccount, ofAddress, unknownOfAddress } = { ...defaultBounds, ...bounds };
  const open = new Map<string, number>();
  const unknown = new Map<string, number>();
  const accounts = new Map<string, number>();

  const enter = (address: string) => {
    if ((open.get(address) ?? 0) >= ofAddress || (unknown.get(address) ?? 0) >= unknownOfAddress) {
      return undefined;
    }
    change(open, address, 1);
    change(unknown, address, 1);
    let owner: string | undefined;
    let isOpen = true;
    const release = (): void =>
      owner === undefined ? change(unknown, address, -1) : change(accounts, owner, -1);
    return {
      claim: (account: string): boolean => {
        if (owner === account) return true;
        if (!isOpen || (accounts.get(account) ?? 0) >= ofAccount) return false;
        release();
        change(accounts, account, 1);
        owner = account;
        return true;
      },
      leave: (): void => {
        isOpen = false;
        change(open, address, -1);
        release();
      },
    };
  };
  return { enter };
};

/** Connection limits that are counted in this process and return synchronously. */
export type LocalConnectionLimits = ReturnType<typeof createConnectionLimits>;
