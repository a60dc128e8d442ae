import { toPublicFileUrl } from '#contract/photos.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import { addSeconds, type Clock } from '#server/platform/clock.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import { type ObjectName, toOriginalPath } from './object-names.ts';
import { getOwnerId } from './policy.ts';
import * as repository from './repository.ts';

/** How long the hidden photos are used before they are read again, in case an announcement was lost, in seconds. */
const maxAgeSeconds = 60;
/** How soon a failed read is repeated, in seconds. */
const retrySeconds = 5;

/** Which photos only their owners and moderators may see. */
export interface HiddenPhotos {
  /** Reads which photos are hidden, unless this was done before. */
  prepare(): Promise<void>;
  /** Begins to follow take-downs and suspensions; returns an unsubscribe function. */
  follow(): () => void;
  /** Returns whether a photo, or the original of a resized copy, is hidden. */
  has(object: ObjectName): Promise<boolean>;
}

/** The hidden photos, as they were last read. */
interface HiddenState {
  suspendedIds: Set<string>;
  urlsByListing: Map<string, readonly string[]>;
  hiddenUrls: Set<string>;
}

const setListings = (
  state: HiddenState,
  listings: Iterable<readonly [id: string, urls: readonly string[]]>,
): void => {
  state.urlsByListing = new Map(listings);
  state.hiddenUrls = new Set([...state.urlsByListing.values()].flat());
};

const readAll = async (sql: Sql, state: HiddenState): Promise<void> => {
  const [listings, ids] = [await repository.listTakenDownPhotos(sql), await repository.listSuspendedIds(sql)];
  setListings(
    state,
    listings.map(({ id, photos }) => [id, photos]),
  );
  state.suspendedIds = new Set(ids);
};

const readChanged = async (
  sql: Sql,
  state: HiddenState,
  { listingIds, userIds }: { listingIds: readonly string[]; userIds: readonly string[] },
): Promise<void> => {
  const listings = await repository.listTakenDownPhotos(sql, listingIds);
  const ids = await repository.listSuspendedIds(sql, userIds);
  const { suspendedIds, urlsByListing } = state;
  if (listings.length > 0 || listingIds.some((id) => urlsByListing.has(id))) {
    const others = [...urlsByListing].filter(([id]) => !listingIds.includes(id));
    setListings(state, [...others, ...listings.map(({ id, photos }) => [id, photos] as const)]);
  }
  for (const id of userIds) suspendedIds.delete(id);
  for (const id of ids) suspendedIds.add(id);
};

const isHidden = ({ suspendedIds, hiddenUrls }: HiddenState, { bucket, path }: ObjectName): boolean =>
  suspendedIds.has(getOwnerId({ bucket, path })) ||
  hiddenUrls.has(toPublicFileUrl(bucket, toOriginalPath(path)));

/**
 * Tracks which photos only their owners and moderators may see: those of listings that are taken down, and all of
 * suspended people. They are few, so every process holds them in memory, and serving a photo needs no query.
 */
export const createHiddenPhotos = ({
  sql,
  clock,
  bus,
}: {
  sql: Sql;
  clock: Clock;
  bus: Pick<Bus, 'subscribe'>;
}): HiddenPhotos => {
  const state: HiddenState = { suspendedIds: new Set(), urlsByListing: new Map(), hiddenUrls: new Set() };
  let firstRead: Promise<void> | undefined;
  let readAgainAt = new Date(0);
  let lastRead = Promise.resolve();
  /** Resolves when the changes that were announced so far are read. */
  let announcedRead = Promise.resolve();

  /** Runs a read after the earlier ones, so that an older result never replaces a newer one. */
  const enqueue = (read: () => Promise<void>): Promise<void> => {
    const result = lastRead.then(read);
    lastRead = result.catch(() => {
      readAgainAt = addSeconds(clock.now(), retrySeconds);
    });
    return result;
  };

  const enqueueReadAll = (): Promise<void> => {
    readAgainAt = addSeconds(clock.now(), maxAgeSeconds);
    return enqueue(() => readAll(sql, state));
  };

  const waitForFirstRead = (): Promise<void> => {
    firstRead ??= enqueueReadAll().catch((error: unknown) => {
      firstRead = undefined;
      throw error;
    });
    return firstRead;
  };

  return {
    prepare: waitForFirstRead,

    follow: () =>
      bus.subscribe(
        (message) => {
          if (message.kind !== 'pages_changed' || !firstRead) return;
          const { listing_ids: listingIds, user_ids: userIds } = message;
          announcedRead = enqueue(() => readChanged(sql, state, { listingIds, userIds })).catch(
            () => undefined,
          );
        },
        () => {
          announcedRead = enqueueReadAll().catch(() => undefined);
        },
      ),

    has: async (object) => {
      await waitForFirstRead();
      // Requests do not wait for this, so photos are served also while the database is unavailable.
      if (clock.now() >= readAgainAt) enqueueReadAll().catch(() => undefined);
      await announcedRead;
      return isHidden(state, object);
    },
  };
};
