import { useEffect, useSyncExternalStore } from 'react';
import { unreadEventSchema, userJoinedSchema, userTopic } from '#contract/realtime.ts';
import { onSessionChange, sessionNow } from '#web/lib/session.ts';
import { subscribe as listen } from '#web/lib/socket.ts';

let userId: string | undefined;
let total = 0;
let leave: (() => void) | undefined;
let watching = false;
const listeners = new Set<() => void>();
const readers = new Set<(event: UnreadEvent | undefined) => void>();
const inSight = new Set<string>();

export interface UnreadEvent {
  conversation_id: string;
  unread_count: number;
  unread_total: number;
}

/** Takes over a total the server just answered with. */
export const setUnreadTotal = (next: number): void => {
  if (next === total) return;
  total = next;
  for (const listener of listeners) listener();
};

/** Says that a conversation lies open before the reader's eyes, until the returned function is called. */
export const keepInSight = (conversationId: string): (() => void) => {
  inSight.add(conversationId);
  return () => inSight.delete(conversationId);
};

/** What is open before the reader's eyes is about to be marked as read: it never counts, not even for a moment. */
export const isInSight = (conversationId: string): boolean => inSight.has(conversationId);

const follow = (): void => {
  const next = sessionNow().user?.id;
  if (next === userId) return;
  userId = next;
  leave?.();
  leave = undefined;
  setUnreadTotal(0);
  if (!next) return;
  leave = listen(userTopic(next), {
    on: {
      unread: (payload) => {
        const parsed = unreadEventSchema.safeParse(payload);
        if (!parsed.success) return;
        const { conversation_id, unread_count, unread_total } = parsed.data;
        setUnreadTotal(isInSight(conversation_id) ? unread_total - unread_count : unread_total);
        for (const read of readers) read(parsed.data);
      },
    },
    onJoined: (reply) => {
      const parsed = userJoinedSchema.safeParse(reply);
      if (parsed.success) setUnreadTotal(parsed.data.unread_total);
      // Whatever was announced while nobody listened is looked for.
      for (const read of readers) read(undefined);
    },
  });
};

const watch = (): void => {
  if (!watching) {
    watching = true;
    onSessionChange(follow);
  }
  follow();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Messages not read yet, over all conversations; kept current by the user's own topic. */
export const useUnreadTotal = (): number => {
  useEffect(watch, []);
  return useSyncExternalStore(
    subscribe,
    () => total,
    () => 0,
  );
};

/** Calls `reader` with each change of a conversation's count, and with undefined when some may have been missed. */
export const onUnread = (reader: (event: UnreadEvent | undefined) => void): (() => void) => {
  readers.add(reader);
  return () => readers.delete(reader);
};
