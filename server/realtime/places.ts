import type { LiveSocket } from './live-socket.ts';

/** How many sockets may be open at once, each bound for one process. */
export interface PlaceBounds {
  /** For one account: every tab and device has one. */
  ofAccount: number;
  /** For one client address: a whole campus may share one. */
  ofAddress: number;
  /** For one client address, of those that have not shown yet who they are. */
  unknownOfAddress: number;
}

const defaultBounds: PlaceBounds = { ofAccount: 20, ofAddress: 5000, unknownOfAddress: 200 };

const change = (counts: Map<string, number>, key: string, by: 1 | -1): void => {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
};

/** Counts the open sockets of addresses and accounts. */
export const createPlaces = (bounds: Partial<PlaceBounds> = {}) => {
  const { ofAccount, ofAddress, unknownOfAddress } = { ...defaultBounds, ...bounds };
  const open = new Map<string, number>();
  const unknown = new Map<string, number>();
  const accounts = new Map<string, number>();

  const release = ({ address, account }: LiveSocket): void =>
    account === undefined ? change(unknown, address, -1) : change(accounts, account, -1);

  return {
    /** Whether one more socket of this address may open. */
    hasRoom: (address: string): boolean =>
      (open.get(address) ?? 0) < ofAddress && (unknown.get(address) ?? 0) < unknownOfAddress,

    enter: ({ address }: LiveSocket): void => {
      change(open, address, 1);
      change(unknown, address, 1);
    },

    /** Counts a socket as this account's; answers whether there was room. Without room nothing changes. */
    claim: (socket: LiveSocket, account: string): boolean => {
      if (socket.account === account) return true;
      if ((accounts.get(account) ?? 0) >= ofAccount) return false;
      release(socket);
      change(accounts, account, 1);
      socket.account = account;
      return true;
    },

    leave: (socket: LiveSocket): void => {
      change(open, socket.address, -1);
      release(socket);
    },
  };
};

export type Places = ReturnType<typeof createPlaces>;
