/** A tab for unit tests of conversations: its session, storage, network and clock, and sample data. */
import { vi } from 'vitest';
import type { CallShape } from '#contract/calls.ts';
import type { Conversation, Message } from '#contract/conversations.ts';

/** Creates a simulated tab. Call it in `vi.hoisted`, so that tests can import the modules under test repeatedly. */
export const createTab = () => {
  const stored = new Map<string, string>();
  const listeners = new Set<() => void>();
  let userId: string | undefined;

  /** Simulates a page reload, which keeps only the tab's storage. Import the modules under test again afterwards. */
  const reload = (next: string | undefined = 'me'): void => {
    vi.resetModules();
    listeners.clear();
    userId = next;
  };

  return {
    /** Mock of `#web/lib/session.ts`. */
    session: {
      getSessionView: () => ({ user: userId === undefined ? null : { id: userId } }),
      onSessionChange: (listener: () => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    /** Installs the globals of a new tab, and fake timers. */
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

/** Returns whether two calls are the same endpoint. Modules imported again have their own call table, so identity does not work. */
export const isSameCall = (a: CallShape, b: CallShape): boolean => a.method === b.method && a.path === b.path;

export const instantAtMinute = (count: number): string =>
  new Date(Date.UTC(2026, 2, 2, 10, count)).toISOString();

export const createMessage = (seq: number, changes: Partial<Message> = {}): Message => ({
  id: `message ${seq}`,
  conversation_id: 'lamp',
  seq,
  sender_id: 'other',
  client_id: `client ${seq}`,
  message_text: `text ${seq}`,
  created_at: instantAtMinute(seq),
  ...changes,
});

/** Creates a conversation in which `me` is the buyer. */
export const createConversation = (id: string, changes: Partial<Conversation> = {}): Conversation => ({
  id,
  listing_id: `listing of ${id}`,
  buyer_id: 'me',
  seller_id: 'other',
  updated_at: instantAtMinute(0),
  listing: { title: 'Desk', available: false, slug: null, price: null, cover: null },
  other: null,
  last_message: null,
  unread_count: 0,
  ...changes,
});
