import { formatDay } from '#contract/deal-event-lines.ts';
import { createSharedSeatsFinder, listSeats, type SeatPlace } from '#contract/seats.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { type App, react } from '#server/app.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';

interface OfferedSeats extends SeatPlace {
  id: string;
  category: string | null;
  game_date: string | null;
}

/** Lists the other listings that offer seats on a day. */
const listOtherSeats = (
  tx: Queryable,
  { id, day }: { id: string; day: string },
): Promise<readonly (SeatPlace & { slug: string })[]> => tx`
  SELECT slug, section, seat_row, seats FROM listings
  WHERE game_date = ${day} AND id <> ${id} AND category = 'game-day' AND status = 'published' AND seats IS NOT NULL
    AND deleted_at IS NULL AND hidden_at IS NULL
  ORDER BY published_at, id`;

const formatPlace = ({ section, seat_row: row }: SeatPlace): string =>
  [section && `section ${isolateDirection(section)}`, row && `row ${isolateDirection(row)}`]
    .filter(Boolean)
    .join(', ');

/** The case names this many seats. */
const maxNamedSeats = 10;

const formatSeats = (seats: readonly string[]): string => {
  const more = seats.length - maxNamedSeats;
  return `${seats.slice(0, maxNamedSeats).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};

/**
 * Opens a case for moderators when a listing offers a seat that another one offers for the same day. Call it in the
 * transaction that publishes or edits the listing: publications for a day wait for one another, so of two at the same time
 * the later one sees the other.
 */
export const checkSameSeats = async (app: App, tx: Queryable, listing: OfferedSeats): Promise<void> => {
  const { id, category, game_date: day } = listing;
  if (category !== 'game-day' || day === null || listSeats(listing.seats).length === 0) return;
  const findSharedSeats = createSharedSeatsFinder(listing);
  await tx`SELECT pg_advisory_xact_lock(hashtextextended(${`seats on ${day}`}, 0))`;
  for (const other of await listOtherSeats(tx, { id, day })) {
    const shared = findSharedSeats(other);
    if (shared.length === 0) continue;
    await react(app, tx, 'signal_noticed', {
      subject: 'listing',
      subjectId: id,
      kind: 'same_seat',
      detail: `Seats ${formatSeats(shared)} (${formatPlace(listing)}) on ${formatDay(day, app.config.campus)} are also offered by the listing ${other.slug}.`,
    });
    return;
  }
};

/** Whether two versions of a listing offer the same seats on the same day. */
export const isSameSeatOffer = (a: Omit<OfferedSeats, 'id'>, b: Omit<OfferedSeats, 'id'>): boolean =>
  a.category === b.category &&
  a.game_date === b.game_date &&
  a.section === b.section &&
  a.seat_row === b.seat_row &&
  a.seats === b.seats;

/** Checks the seats of a person's public listings, of which others did not know while the account was suspended. */
export const checkSeatsOfSeller = async (app: App, tx: Queryable, userId: string): Promise<void> => {
  const offered = await tx<OfferedSeats[]>`
    SELECT id, category, game_date, section, seat_row, seats FROM listings
    WHERE user_id = ${userId} AND category = 'game-day' AND status = 'published' AND seats IS NOT NULL
      AND deleted_at IS NULL AND hidden_at IS NULL
    ORDER BY game_date, id`;
  for (const listing of offered) await checkSameSeats(app, tx, listing);
};
