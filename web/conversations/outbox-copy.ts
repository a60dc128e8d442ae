import { findOnDevice, listNamesOnDevice, removeFromDevice, saveOnDevice } from '#web/lib/device-storage.ts';
import { createUuid } from '#web/lib/new-id.ts';

// Messages that wait for the connection belong to their tab. A copy on this device outlives the tab,
// so that the next one sends them. Each open tab holds a lock while it has a copy; a copy whose lock
// is free was left behind by a closed tab.

const namePrefix = 'outbox.';
const ownName = `${namePrefix}${createUuid()}`;
const toLockName = (name: string): string => `quad.${name}`;

let copy: { ownerId: string; messages: readonly unknown[] } | undefined;
let releaseLock: (() => void) | undefined;

const writeCopy = (): void => {
  if (copy) saveOnDevice(copy.ownerId, ownName, copy.messages);
};

/** Writes the copy as soon as this tab has its lock, and holds the lock until `releaseLock` is called. */
const holdLock = (): void => {
  const released = new Promise<void>((resolve) => {
    releaseLock = resolve;
  });
  void navigator.locks.request(toLockName(ownName), () => {
    writeCopy();
    return released;
  });
};

/** Copies the waiting messages of this tab to the device, in place of the previous copy. */
export const copyWaitingMessages = (ownerId: string | undefined, messages: readonly unknown[]): void => {
  // Insecure pages have no locks. Their waiting messages end with the tab.
  if (!globalThis.navigator?.locks) return;
  if (ownerId && messages.length > 0) {
    copy = { ownerId, messages };
    if (releaseLock) writeCopy();
    else holdLock();
    return;
  }
  if (copy) removeFromDevice(copy.ownerId, ownName);
  copy = undefined;
  releaseLock?.();
  releaseLock = undefined;
};

/** Calls `take` with the messages of each closed tab, and removes their copy. */
export const takeAbandonedMessages = async (
  ownerId: string,
  take: (messages: unknown) => void,
): Promise<void> => {
  if (!globalThis.navigator?.locks) return;
  for (const name of listNamesOnDevice(ownerId, namePrefix).filter((it) => it !== ownName)) {
    await navigator.locks.request(toLockName(name), { ifAvailable: true }, (lock) => {
      const saved = lock && findOnDevice(ownerId, name);
      if (!saved) return;
      take(saved.value);
      removeFromDevice(ownerId, name);
    });
  }
};
