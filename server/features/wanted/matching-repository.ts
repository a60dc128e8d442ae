import type { Category } from '#contract/categories.ts';
import { parseIsbn } from '#contract/isbn.ts';
import type { WantedMatchBody } from '#contract/wanted.ts';
import { toListedCondition } from '#server/features/listing-visibility/sql.ts';
import { listSearchableTexts } from '#server/features/listings/sql.ts';
import { type CoverRow, coverColumns } from '#server/features/photos/sql.ts';
import { listTextKeys } from '#server/features/saved-searches/sql.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { type Fragment, fragment, json } from '#server/platform/postgres/sql-fragments.ts';
import type { Tables } from '#server/platform/postgres/tables.ts';
import { toMatchCondition, type WantedContext } from './sql.ts';

/** What of a listing decides by which keys its wanted posts are found. */
type SearchedListing = Pick<Tables['listings'], 'folded_text' | 'isbn'> & {
  search_text: string;
  category: Category;
};

/** Returns SQL for the people who look for the listing `l`, once each. */
const selectPeople = (listing: SearchedListing, context: WantedContext): Fragment => {
  const keys = listTextKeys(listSearchableTexts(listing, context.campus.mascot));
  return fragment`
    SELECT DISTINCT w.user_id FROM wanted_posts w
    WHERE w.category = ${listing.category} AND w.text_key = ANY (${keys}::text[]) AND ${toMatchCondition(context)}`;
};

/** Returns SQL that selects a listing that a person is writing as `l`, as if it were published. */
const selectDraft = (userId: string, { isbn, ...draft }: WantedMatchBody): Fragment => {
  const listing = { ...draft, isbn: parseIsbn(isbn ?? ''), user_id: userId, status: 'published' };
  // OFFSET 0 makes PostgreSQL compute the texts only once.
  return fragment`
    SELECT l.id, l.user_id, l.status, l.category, l.price, l.game_date, l.away_until, l.isbn,
      private.listing_search_text(l) AS search_text, private.listing_folded_text(l) AS folded_text
    FROM jsonb_populate_record(NULL::listings, ${json(listing)}::text::jsonb) l
    OFFSET 0`;
};

/** Counts the people who look for a listing that a person is writing. */
export const countPeopleForDraft = async (
  sql: Queryable,
  { userId, draft, ...context }: WantedContext & { userId: string; draft: WantedMatchBody },
): Promise<number> => {
  const [listing] = await sql<SearchedListing[]>`
    SELECT search_text, folded_text, isbn, category FROM (${selectDraft(userId, draft)}) l`;
  if (!listing) return 0;
  const [row] = await sql<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (${selectDraft(userId, draft)}) l, LATERAL (${selectPeople(listing, context)}) people`;
  return row?.count ?? 0;
};

/** Finds a person's published listing and locks it until the transaction ends. */
export const findAndLockListing = async (
  tx: Queryable,
  userId: string,
  id: string,
): Promise<
  (SearchedListing & Pick<Tables['listings'], 'id' | 'slug'> & { is_published: boolean }) | undefined
> => {
  const [row] = await tx<
    (SearchedListing & Pick<Tables['listings'], 'id' | 'slug'> & { is_published: boolean })[]
  >`
    SELECT id, slug, search_text, folded_text, isbn, category, status = 'published' AS is_published FROM listings
    WHERE id = ${id} AND user_id = ${userId} AND deleted_at IS NULL FOR SHARE`;
  return row;
};

/** Returns SQL for the people who look for the stored listing `l` and have not been told about it. */
const selectPeopleToTell = (
  listing: SearchedListing & { id: string },
  context: WantedContext,
): Fragment => fragment`
  SELECT people.user_id FROM listings l, LATERAL (${selectPeople(listing, context)}) people
  WHERE l.id = ${listing.id} AND NOT EXISTS (
    SELECT FROM wanted_alerts a WHERE a.listing_id = l.id AND a.user_id = people.user_id)`;

export const countPeopleToTell = async (
  sql: Queryable,
  listing: SearchedListing & { id: string },
  context: WantedContext,
): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (${selectPeopleToTell(listing, context)}) people`;
  return row?.count ?? 0;
};

/** Records that the people who look for a listing are told about it. Returns those who had not been. */
export const insertAlerts = async (
  tx: Queryable,
  listing: SearchedListing & { id: string },
  context: WantedContext,
): Promise<string[]> => {
  const rows = await tx<{ user_id: string }[]>`
    INSERT INTO wanted_alerts (listing_id, user_id, told_at)
    SELECT ${listing.id}, user_id, ${context.now} FROM (${selectPeopleToTell(listing, context)}) people
    ORDER BY user_id ON CONFLICT DO NOTHING RETURNING user_id`;
  return rows.map(({ user_id: userId }) => userId);
};

export type AnsweringListingRow = Pick<
  Tables['listings'],
  'id' | 'title' | 'price' | 'category' | 'rental_period'
> &
  CoverRow & { matches: boolean };

/** Lists a person's listings that are in lists: first those that match a wanted post, then the newest. */
export const listListingsToAnswerWith = (
  sql: Queryable,
  {
    userId,
    postId,
    today,
    limit,
    ...context
  }: WantedContext & {
    userId: string;
    postId: string;
    today: string;
    limit: number;
  },
): Promise<AnsweringListingRow[]> => sql<AnsweringListingRow[]>`
  SELECT l.id, l.title, l.price, l.category, l.rental_period, ${coverColumns}, ${toMatchCondition(context)} AS matches
  FROM wanted_posts w, listings l LEFT JOIN private.objects cover ON cover.url = l.photos[1]
  WHERE w.id = ${postId} AND l.user_id = ${userId} AND ${toListedCondition(today)}
  ORDER BY matches DESC, l.created_at DESC, l.id DESC LIMIT ${limit}`;
