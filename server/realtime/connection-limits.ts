/** How many sockets may be open at once, on all processes that share a port. */
export interface ConnectionBounds {
  /** For one account: every tab and device has one. */
  ofAccount: number;
  /** For one client address: a whole campus may share one. */
  ofAddress: number;
  /** For one client address, of those that have not shown yet who they are. */
  unknownOfAddress: number;
}

type Soon<Value> = Value | Promise<Value>;

/** The place of one open socket. */
export interface ConnectionSlot {
  /** Counts the socket as this account's; answers whether there was room. Without room nothing changes. */
  claim(account: string): Soon<boolean>;
  /** Gives the place back; once. */
  leave(): void;
}

/** Where sockets get their places. */
export interface ConnectionLimits {
  /** Takes a place for a socket of this address; undefined when there is none. */
  enter(address: string): Soon<ConnectionSlot | undefined>;
}

const defaultBounds: ConnectionBounds = { ofAccount: 20, ofAddress: 5000, unknownOfAddress: 200 };

const change = (counts: Map<string, number>, key: string, by: 1 | -1): void => {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
};

/** Counts the open sockets of addresses and accounts. */
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

/** Counts where it is asked, and answers at once. */
export type LocalConnectionLimits = ReturnType<typeof createConnectionLimits>;
