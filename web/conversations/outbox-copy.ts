import {
  findValueOnDevice,
  listNamesOnDevice,
  onDeviceStorageChange,
  removeValueFromDevice,
  saveValueOnDevice,
} from '#web/lib/device-storage.ts';
import { createUuid } from '#web/lib/uuid.ts';

// Each tab saves its unsent messages on this device, so that they are not lost when the tab is closed or its
// session ends. An open tab holds a lock on its saved copy; once the tab is closed, another tab acquires the
// lock and sends the messages. If the tab was sending one of them, the server stores it once, because each has
// a client id.

const namePrefix = 'outbox.';
const createName = (): string => `${namePrefix}${createUuid()}`;
const toLockName = (name: string): string => `quad.${name}`;

/** Insecure pages have no Web Locks API, so their unsent messages are lost when the tab is closed. */
const getLocks = (): LockManager | undefined => globalThis.navigator?.locks;

let ownName = createName();
let copyOwnerId: string | undefined;
let holdsLock = false;
/** The storage names under which this tab saved copies for sessions that have since been lost. */
const lostNames = new Set<string>();

const holdLock = (locks: LockManager): void => {
  if (holdsLock) return;
  holdsLock = true;
  const untilClosed = new Promise<never>(() => undefined);
  void locks.request(toLockName(ownName), () => untilClosed);
};

/**
 * Keeps the copy on the device after the session was lost, so that its messages are sent when the same
 * person logs in again. A deliberate log-out erases the copy.
 */
const leaveCopy = (): void => {
  lostNames.add(ownName);
  ownName = createName();
  holdsLock = false;
  copyOwnerId = undefined;
};

/** Saves this tab's unsent messages on the device, in place of the previous copy from the same session. */
export const saveUnsentMessagesOnDevice = (
  ownerId: string | undefined,
  messages: readonly unknown[],
): void => {
  const locks = getLocks();
  if (!locks) return;
  if (copyOwnerId && copyOwnerId !== ownerId) leaveCopy();
  if (ownerId && messages.length > 0) {
    holdLock(locks);
    saveValueOnDevice(ownerId, ownName, messages);
    copyOwnerId = ownerId;
  } else if (copyOwnerId) {
    removeValueFromDevice(copyOwnerId, ownName);
    copyOwnerId = undefined;
  }
};

/** Returns whether unsent messages of a lost session are still on the device. */
export const hasMessagesOfLostSession = (): boolean => lostNames.size > 0;

/**
 * Calls `take` with the messages that were unsent in this tab when its session was lost, and with the unsent
 * messages of every tab that is closed now or later. Then removes their copies from the device.
 * Returns a function that stops waiting for closed tabs.
 */
export const takeAbandonedMessages = (ownerId: string, take: (messages: unknown) => void): (() => void) => {
  const locks = getLocks();
  if (!locks) return () => undefined;
  const stop = new AbortController();
  const awaitedNames = new Set<string>();
  /** Passes the copy's messages to `take` and removes the copy. Returns whether there was a copy. */
  const takeCopy = (name: string): boolean => {
    const saved = findValueOnDevice(ownerId, name);
    if (saved) take(saved.value);
    removeValueFromDevice(ownerId, name);
    return saved !== undefined;
  };
  const waitForTab = async (name: string): Promise<void> => {
    awaitedNames.add(name);
    await locks.request(toLockName(name), { signal: stop.signal }, () => takeCopy(name));
    awaitedNames.delete(name);
  };
  const waitForTabs = (): void => {
    for (const name of listNamesOnDevice(ownerId, namePrefix)) {
      // The promise of a lock request rejects when the request is aborted.
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
