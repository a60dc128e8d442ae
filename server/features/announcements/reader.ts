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

interface ReaderDeps {
  sql: Sql;
  clock: Clock;
  bus: Pick<Bus, 'subscribe'>;
}

const describeState = (row: AnnouncementRow | undefined, now: Date): AnnouncementSchedule => {
  if (!row || row.ends_at <= now) return { current: null, changes_at: null };
  if (now < row.begins_at) return { current: null, changes_at: row.begins_at.toISOString() };
  const ends_at = row.ends_at.toISOString();
  return { current: { text: row.text, ends_at }, changes_at: ends_at };
};

/**
 * Creates the reader that supplies the announcement to rendered pages. It caches the announcement in memory,
 * so that rendering a page needs no query for it, and reads it again after a change.
 */
export const createAnnouncementReader = ({ sql, clock, bus }: ReaderDeps) => {
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
    /** Begins to follow changes of the announcement; returns an unsubscribe function. */
    follow: (): (() => void) => {
      const forget = () => {
        stored = undefined;
      };
      return bus.subscribe((message) => message.kind === 'announcement_changed' && forget(), forget);
    },

    /** Returns the announcement to show now. Rejects when it cannot be read. */
    find: async (): Promise<AnnouncementSchedule> => {
      const isFresh = stored !== undefined && clock.now() < stored.expiresAt;
      return describeState(await (isFresh && stored ? stored.row : load()), clock.now());
    },
  };
};
