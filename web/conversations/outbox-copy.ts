import {
  findOnDevice,
  listNamesOnDevice,
  onDeviceStorageChange,
  removeFromDevice,
  saveOnDevice,
} from '#web/lib/device-storage.ts';
import { createUuid } from '#web/lib/new-id.ts';

// Messages that wait for the connection belong to a tab. Their copy on this device outlives the
// tab. While it is open, the tab holds a lock; once it is closed, another tab acquires the lock and
// sends the messages.

const namePrefix = 'outbox.';
const createName = (): string => `${namePrefix}${createUuid()}`;
const toLockName = (name: string): string => `quad.${name}`;

/** Insecure pages have no Web Locks API, so their waiting messages are lost when the tab is closed. */
const getLocks = (): LockManager | undefined => globalThis.navigator?.locks;

let ownName = createName();
let copyOwnerId: string | undefined;
let holdsLock = false;
/** Names of the copies whose session was lost in this tab. */
const lostNames = new Set<string>();

const holdLock = (locks: LockManager): void => {
  if (holdsLock) return;
  holdsLock = true;
  const untilClosed = new Promise<never>(() => undefined);
  void locks.request(toLockName(ownName), () => untilClosed);
};

/** Leaves the copy on the device, for the next log-in of its owner. Logging out erases it. */
const leaveCopy = (): void => {
  lostNames.add(ownName);
  ownName = createName();
  holdsLock = false;
  copyOwnerId = undefined;
};

/** Copies the waiting messages of this tab to the device, in place of the previous copy of the session. */
export const copyWaitingMessages = (ownerId: string | undefined, messages: readonly unknown[]): void => {
  const locks = getLocks();
  if (!locks) return;
  if (copyOwnerId && copyOwnerId !== ownerId) leaveCopy();
  if (ownerId && messages.length > 0) {
    holdLock(locks);
    saveOnDevice(ownerId, ownName, messages);
    copyOwnerId = ownerId;
  } else if (copyOwnerId) {
    removeFromDevice(copyOwnerId, ownName);
    copyOwnerId = undefined;
  }
};

/** Returns whether waiting messages of a lost session are still on the device. */
export const hasMessagesOfLostSession = (): boolean => lostNames.size > 0;

/**
 * Calls `take` with the messages that waited in this tab when a session was lost, and with those of
 * each tab that is closed now or later; removes their copies. Returns a function that stops waiting
 * for closed tabs.
 */
export const takeAbandonedMessages = (ownerId: string, take: (messages: unknown) => void): (() => void) => {
  const locks = getLocks();
  if (!locks) return () => undefined;
  const stop = new AbortController();
  const awaitedNames = new Set<string>();
  /** Returns whether a copy with this name existed. */
  const takeCopy = (name: string): boolean => {
    const saved = findOnDevice(ownerId, name);
    if (saved) take(saved.value);
    removeFromDevice(ownerId, name);
    return saved !== undefined;
  };
  const waitForTab = async (name: string): Promise<void> => {
    awaitedNames.add(name);
    await locks.request(toLockName(name), { signal: stop.signal }, () => takeCopy(name));
    awaitedNames.delete(name);
  };
  const waitForTabs = (): void => {
    for (const name of listNamesOnDevice(ownerId, namePrefix)) {
      // An aborted lock request rejects.
      if (name !== ownName && !awaitedNames.has(name)) void waitForTab(name).catch(() => undefined);
    }
  };
  for (const name of [...lostNames]) if (takeCopy(name)) lostNames.delete(name);
  const stopListening = onDeviceStorageChange(ownerId, waitForTabs);
  waitForTabs();
  return () => {
    stopListening();
    stop.abort();
  };
};
