import type { AnnouncementSchedule } from '#contract/announcements.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import { addSeconds, type Clock } from '#server/platform/clock.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import { type AnnouncementRow, findAnnouncement } from './repository.ts';

/**
 * How long the announcement is cached in memory, in seconds. If the bus message about a change is lost, the
 * outdated announcement is shown no longer than this.
 */
const maxAgeSeconds = 60;

export interface AnnouncementCache {
  /** Begins to follow changes of the announcement; returns an unsubscribe function. */
  follow(): () => void;
  /** Returns the announcement to show now. Rejects when it cannot be read. */
  find(): Promise<AnnouncementSchedule>;
}

const describeState = (row: AnnouncementRow | undefined, now: Date): AnnouncementSchedule => {
  if (!row || row.ends_at <= now) return { current: null, changes_at: null };
  if (now < row.begins_at) return { current: null, changes_at: row.begins_at.toISOString() };
  const ends_at = row.ends_at.toISOString();
  return { current: { text: row.text, ends_at }, changes_at: ends_at };
};

/**
 * Creates the cache that supplies the announcement to rendered pages, so that rendering a page needs no query for it.
 * The announcement is read again after a change.
 */
export const createAnnouncementCache = ({
  sql,
  clock,
  bus,
}: {
  sql: Sql;
  clock: Clock;
  bus: Pick<Bus, 'subscribe'>;
}): AnnouncementCache => {
  let stored: { row: Promise<AnnouncementRow | undefined>; expiresAt: Date } | undefined;

  const load = (): Promise<AnnouncementRow | undefined> => {
    const row = findAnnouncement(sql);
    const loaded = { row, expiresAt: addSeconds(clock.now(), maxAgeSeconds) };
    stored = loaded;
    // Drop a failed read, so that the next page tries again.
    row.catch(() => {
      if (stored === loaded) stored = undefined;
    });
    return row;
  };

  return {
    follow: () => {
      const forget = () => {
        stored = undefined;
      };
      return bus.subscribe((message) => message.kind === 'announcement_changed' && forget(), forget);
    },

    find: async () => {
      const isFresh = stored !== undefined && clock.now() < stored.expiresAt;
      return describeState(await (isFresh && stored ? stored.row : load()), clock.now());
    },
  };
};
