/** Helpers for unit tests of conversations: a simulated browser tab and sample data. */
import { vi } from 'vitest';
import type { CallDeclaration } from '#contract/calls/declare-call.ts';
import type { Conversation, Message } from '#contract/conversations.ts';

const createStorage = () => {
  const stored = new Map<string, string>();
  return {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
    clear: () => stored.clear(),
  };
};

/**
 * Creates a simulated browser tab with session, storage, network state and fake timers. Call it in
 * `vi.hoisted`, because `vi.mock` factories use its `session`.
 */
export const createBrowserTab = () => {
  const tabStorage = createStorage();
  const deviceStorage = createStorage();
  const listeners = new Set<() => void>();
  let userId: string | undefined;
  let didLogOut = false;

  const storeSession = (): void =>
    userId === undefined
      ? deviceStorage.removeItem('quad.session')
      : deviceStorage.setItem('quad.session', JSON.stringify({ user: { id: userId } }));
  /**
   * Simulates a page reload: only session storage and local storage survive. Afterwards, import the modules
   * under test again.
   */
  const reload = (next: string | undefined = 'me'): void => {
    vi.resetModules();
    listeners.clear();
    userId = next;
    didLogOut = false;
    storeSession();
  };
  const setUser = (next: string | undefined, isLogOut = false): void => {
    userId = next;
    didLogOut = isLogOut;
    storeSession();
    for (const listener of listeners) listener();
  };

  return {
    /** Mock of `#web/lib/session.ts`. */
    session: {
      getSessionSnapshot: () => ({ user: userId === undefined ? null : { id: userId } }),
      hasLoggedOut: () => didLogOut,
      onSessionChange: (listener: () => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    /** Installs the globals of a new tab, and fake timers. */
    open: (): void => {
      vi.useFakeTimers({ now: new Date('2026-03-02T10:00:00.000Z') });
      tabStorage.clear();
      deviceStorage.clear();
      vi.stubGlobal('sessionStorage', tabStorage);
      vi.stubGlobal('localStorage', deviceStorage);
      vi.stubGlobal('window', new EventTarget());
      vi.stubGlobal('navigator', { onLine: true });
      reload();
    },
    reload,
    /** Simulates a new tab of the same browser after the previous one was closed. */
    openAgain: (): void => {
      tabStorage.clear();
      reload();
    },
    close: (): void => {
      vi.useRealTimers();
      vi.unstubAllGlobals();
    },
    /** Simulates a log-in of the given user or, for undefined, the loss of the session. */
    logIn: (next: string | undefined): void => setUser(next),
    logOut: (): void => setUser(undefined, true),
    setOnline: (onLine: boolean): void => {
      vi.stubGlobal('navigator', { ...navigator, onLine });
      window.dispatchEvent(new Event(onLine ? 'online' : 'offline'));
    },
  };
};

/**
 * Returns whether two calls declare the same endpoint. They cannot be compared by identity, because
 * importing the modules again creates new call objects.
 */
export const hasSameMethodAndPath = (a: CallDeclaration, b: CallDeclaration): boolean =>
  a.method === b.method && a.path === b.path;

export const getInstantAtMinute = (count: number): string =>
  new Date(Date.UTC(2026, 2, 2, 10, count)).toISOString();

export const createMessage = (seq: number, changes: Partial<Message> = {}): Message => ({
  id: `message ${seq}`,
  conversation_id: 'lamp',
  seq,
  sender_id: 'other',
  client_id: `client ${seq}`,
  message_text: `text ${seq}`,
  created_at: getInstantAtMinute(seq),
  kind: 'text',
  data: null,
  ...changes,
});

/** Creates a conversation in which `me` is the buyer. */
export const createConversation = (id: string, changes: Partial<Conversation> = {}): Conversation => ({
  id,
  listing_id: `listing of ${id}`,
  buyer_id: 'me',
  seller_id: 'other',
  updated_at: getInstantAtMinute(0),
  listing: {
    title: 'Desk',
    available: false,
    unavailable: null,
    away_until: null,
    outcome: null,
    is_sale_asked: false,
    slug: null,
    category: null,
    price: null,
    rental_period: null,
    cover: null,
  },
  other: null,
  last_message: null,
  unread_count: 0,
  other_read_seq: null,
  deal: null,
  may_write: true,
  archived: false,
  muted_until: null,
  ...changes,
});
