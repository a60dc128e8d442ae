import { declareStoredValue, onChangeInOtherTab } from '#web/lib/stored-values.ts';
import { createUuid } from '#web/lib/uuid.ts';
import { type OutgoingMessage, parseOutgoingMessages } from './outgoing-message.ts';

// Each tab saves its unsent messages on this device, so that they are not lost when the tab is closed or its
// session ends. An open tab holds a lock on its saved copy; once the tab is closed, another tab acquires the
// lock and sends the messages. If the tab was sending one of them, the server stores it once, because each has
// a client id.

/** The unsent messages of each tab, by an id of the tab. */
const copies = declareStoredValue({ name: 'outbox', scope: 'device', parse: parseOutgoingMessages });
const toLockName = (id: string): string => `quad.outbox.${id}`;

/** Insecure pages have no Web Locks API, so their unsent messages are lost when the tab is closed. */
const getLocks = (): LockManager | undefined => globalThis.navigator?.locks;

let tabId = createUuid();
let copyOwnerId: string | undefined;
let holdsLock = false;
/** The ids under which this tab saved copies for sessions that have since been lost. */
const lostIds = new Set<string>();

const holdLock = (locks: LockManager): void => {
  if (holdsLock) return;
  holdsLock = true;
  const untilClosed = new Promise<never>(() => undefined);
  void locks.request(toLockName(tabId), () => untilClosed);
};

/**
 * Keeps the copy on the device after the session was lost, so that its messages are sent when the same
 * person logs in again. A deliberate log-out erases the copy.
 */
const leaveCopy = (): void => {
  lostIds.add(tabId);
  tabId = createUuid();
  holdsLock = false;
  copyOwnerId = undefined;
};

/** Saves this tab's unsent messages on the device, in place of the previous copy from the same session. */
export const saveUnsentMessagesOnDevice = (
  ownerId: string | undefined,
  messages: readonly OutgoingMessage[],
): void => {
  const locks = getLocks();
  if (!locks) return;
  if (copyOwnerId && copyOwnerId !== ownerId) leaveCopy();
  if (ownerId && messages.length > 0) {
    holdLock(locks);
    copies.save(ownerId, messages, tabId);
    copyOwnerId = ownerId;
  } else if (copyOwnerId) {
    copies.remove(copyOwnerId, tabId);
    copyOwnerId = undefined;
  }
};

/** Returns whether unsent messages of a lost session are still on the device. */
export const hasMessagesOfLostSession = (): boolean => lostIds.size > 0;

/**
 * Calls `take` with the messages that were unsent in this tab when its session was lost, and with the unsent
 * messages of every tab that is closed now or later. Then removes their copies from the device.
 * Returns a function that stops waiting for closed tabs.
 */
export const takeAbandonedMessages = (
  ownerId: string,
  take: (messages: readonly OutgoingMessage[]) => void,
): (() => void) => {
  const locks = getLocks();
  if (!locks) return () => undefined;
  const stop = new AbortController();
  const awaitedIds = new Set<string>();
  /** Passes the copy's messages to `take` and removes the copy. Returns whether there was a copy. */
  const takeCopy = (id: string): boolean => {
    const messages = copies.find(ownerId, id);
    if (messages) take(messages);
    copies.remove(ownerId, id);
    return messages !== undefined;
  };
  const waitForTab = async (id: string): Promise<void> => {
    awaitedIds.add(id);
    await locks.request(toLockName(id), { signal: stop.signal }, () => takeCopy(id));
    awaitedIds.delete(id);
  };
  const waitForTabs = (): void => {
    for (const id of copies.listIds(ownerId)) {
      // The promise of a lock request rejects when the request is aborted.
      if (id !== tabId && !awaitedIds.has(id)) void waitForTab(id).catch(() => undefined);
    }
  };
  for (const id of [...lostIds]) if (takeCopy(id)) lostIds.delete(id);
  const stopListening = onChangeInOtherTab(ownerId, waitForTabs);
  waitForTabs();
  return () => {
    stopListening();
    stop.abort();
  };
};
