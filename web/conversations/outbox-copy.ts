import {
  findOnDevice,
  listNamesOnDevice,
  onDeviceChange,
  removeFromDevice,
  saveOnDevice,
} from '#web/lib/device-storage.ts';
import { createUuid } from '#web/lib/new-id.ts';

// Messages that wait for the connection belong to their tab. A copy on this device outlives the tab,
// so that another one sends them. From its first copy on, a tab holds a lock until it is closed; who
// gets the lock afterwards takes over the copy.

const namePrefix = 'outbox.';
const ownName = `${namePrefix}${createUuid()}`;
const toLockName = (name: string): string => `quad.${name}`;

/** Insecure pages have no locks. Their waiting messages end with the tab. */
const getLocks = (): LockManager | undefined => globalThis.navigator?.locks;

let copyOwnerId: string | undefined;
let holdsLock = false;

const holdLock = (locks: LockManager): void => {
  if (holdsLock) return;
  holdsLock = true;
  const untilClosed = new Promise<never>(() => undefined);
  void locks.request(toLockName(ownName), () => untilClosed);
};

/** Copies the waiting messages of this tab to the device, in place of the previous copy. */
export const copyWaitingMessages = (ownerId: string | undefined, messages: readonly unknown[]): void => {
  const locks = getLocks();
  if (!locks) return;
  if (ownerId && messages.length > 0) {
    holdLock(locks);
    saveOnDevice(ownerId, ownName, messages);
    copyOwnerId = ownerId;
  } else if (copyOwnerId) {
    removeFromDevice(copyOwnerId, ownName);
    copyOwnerId = undefined;
  }
};

/**
 * Calls `take` with the messages of each tab that is closed, now or later, and removes their copy.
 * Returns a function that stops it.
 */
export const takeAbandonedMessages = (ownerId: string, take: (messages: unknown) => void): (() => void) => {
  const locks = getLocks();
  if (!locks) return () => undefined;
  const stop = new AbortController();
  const awaitedNames = new Set([ownName]);
  const waitForTab = async (name: string): Promise<void> => {
    awaitedNames.add(name);
    await locks.request(toLockName(name), { signal: stop.signal }, () => {
      const saved = findOnDevice(ownerId, name);
      if (saved) take(saved.value);
      removeFromDevice(ownerId, name);
    });
    awaitedNames.delete(name);
  };
  const waitForTabs = (): void => {
    for (const name of listNamesOnDevice(ownerId, namePrefix)) {
      // The request fails when it is stopped.
      if (!awaitedNames.has(name)) void waitForTab(name).catch(() => undefined);
    }
  };
  const stopListening = onDeviceChange(ownerId, waitForTabs);
  waitForTabs();
  return () => {
    stopListening();
    stop.abort();
  };
};
