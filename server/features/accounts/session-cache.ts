/**
 * How long a session is cached after it was found active. This must be less than the 5 s within which every process
 * must refuse an ended session.
 */
const sessionCacheSeconds = 4;
const maxCachedSessions = 50_000;

export interface ActiveSession {
  userId: string;
  isEnrolled: boolean;
  hasSecondFactor: boolean;
}

/** Caches the sessions that were found active, by id, for a few seconds each. */
export interface SessionCache {
  find(id: string, now: Date): ActiveSession | undefined;
  /** Caches a session that was found active at `now`. */
  add(id: string, session: ActiveSession, now: Date): void;
  forget(ids: readonly string[]): void;
  forgetAll(): void;
}

export const createSessionCache = (): SessionCache => {
  const cached = new Map<string, { session: ActiveSession; foundActiveAt: Date }>();
  return {
    find: (id, now) => {
      const found = cached.get(id);
      if (!found) return undefined;
      // The clock may have been set back.
      const age = now.getTime() - found.foundActiveAt.getTime();
      return age >= 0 && age < sessionCacheSeconds * 1000 ? found.session : undefined;
    },
    add: (id, session, now) => {
      if (cached.size >= maxCachedSessions) cached.clear();
      cached.set(id, { session, foundActiveAt: now });
    },
    forget: (ids) => {
      for (const id of ids) cached.delete(id);
    },
    forgetAll: () => cached.clear(),
  };
};
