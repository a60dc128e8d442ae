import { onSessionChange, sessionNow } from '#web/lib/session.ts';
import { emptyThread, type Thread, worthKeeping } from './thread.ts';

const threadsAtMost = 20;
const messagesAtMost = 200;

let owner: string | undefined;
const threads = new Map<string, Thread>();

onSessionChange(() => {
  const next = sessionNow().user?.id;
  if (next !== owner) threads.clear();
  owner = next;
});

/** A thread as it was when last shown in this tab: shown at once while what came since is asked for. */
export const findCachedThread = (conversationId: string): Thread =>
  threads.get(conversationId) ?? emptyThread;

/** Keeps the newest part of a thread in memory, for as long as its reader is signed in. */
export const cacheThread = (conversationId: string, thread: Thread): void => {
  const kept = worthKeeping(thread, messagesAtMost);
  if (!kept) return;
  threads.delete(conversationId);
  threads.set(conversationId, kept);
  const [oldest] = threads.keys();
  if (threads.size > threadsAtMost && oldest) threads.delete(oldest);
};
