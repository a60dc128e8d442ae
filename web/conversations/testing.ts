/** A tab for unit tests of conversations: its session, storage, network and clock, and sample data. */
import { vi } from 'vitest';
import type { CallShape } from '#contract/calls.ts';
import type { Conversation, Message } from '#contract/conversations.ts';

/** Creates a tab. Do it in `vi.hoisted`, so that the modules under test can be imported again and again. */
export const createTab = () => {
  const stored = new Map<string, string>();
  const listeners = new Set<() => void>();
  let userId: string | undefined;

  /** Forgets everything but the tab's storage. Import the modules under test afterwards. */
  const reload = (next: string | undefined = 'me'): void => {
    vi.resetModules();
    listeners.clear();
    userId = next;
  };

  return {
    /** Takes the place of `#web/lib/session.ts`. */
    session: {
      getSessionView: () => ({ user: userId === undefined ? null : { id: userId } }),
      onSessionChange: (listener: () => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    /** Installs the globals of a fresh tab, and a clock that only the test moves. */
    open: (): void => {
      vi.useFakeTimers({ now: new Date('2026-03-02T10:00:00.000Z') });
      stored.clear();
      vi.stubGlobal('sessionStorage', {
        getItem: (key: string) => stored.get(key) ?? null,
        setItem: (key: string, value: string) => stored.set(key, value),
        removeItem: (key: string) => stored.delete(key),
      });
      vi.stubGlobal('window', new EventTarget());
      vi.stubGlobal('navigator', { onLine: true });
      reload();
    },
    reload,
    close: (): void => {
      vi.useRealTimers();
      vi.unstubAllGlobals();
    },
    logIn: (next: string | undefined): void => {
      userId = next;
      for (const listener of listeners) listener();
    },
    setOnline: (onLine: boolean): void => {
      vi.stubGlobal('navigator', { onLine });
      window.dispatchEvent(new Event(onLine ? 'online' : 'offline'));
    },
  };
};

/** Whether two calls are the same; modules that are imported again have their own call table. */
export const sameCall = (a: CallShape, b: CallShape): boolean => a.method === b.method && a.path === b.path;

export const minute = (count: number): string => new Date(Date.UTC(2026, 2, 2, 10, count)).toISOString();

export const message = (seq: number, changes: Partial<Message> = {}): Message => ({
  id: `message ${seq}`,
  conversation_id: 'lamp',
  seq,
  sender_id: 'other',
  client_id: `client ${seq}`,
  message_text: `text ${seq}`,
  created_at: minute(seq),
  ...changes,
});

/** A conversation of `me` as the buyer. */
export const conversation = (id: string, changes: Partial<Conversation> = {}): Conversation => ({
  id,
  listing_id: `listing of ${id}`,
  buyer_id: 'me',
  seller_id: 'other',
  updated_at: minute(0),
  listing: { title: 'Desk', available: false, slug: null, price: null, cover: null },
  other: null,
  last_message: null,
  unread_count: 0,
  ...changes,
});
