import type { Category } from '#contract/categories.ts';
import { openDealStates } from '#contract/deal-states.ts';
import type { OwnListingPage } from '#contract/listing-queries.ts';
import type { ListingStatus } from '#contract/listings.ts';
import { checkedFields } from '#contract/prohibited-items.ts';
import {
  formerMemberListingCondition,
  publishedCondition,
  sellerActedAtSql,
  toEndedCondition,
  toGameEndSql,
  toPausedCondition,
  toQuestionOpenCondition,
  withdrawnCondition,
} from '#server/features/listing-visibility/sql.ts';
import { toPhotosJsonSql } from '#server/features/photos/sql.ts';
import { toCursorTimeSql } from '#server/platform/list-position.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import {
  columnList,
  type Fragment,
  fragment,
  identifier,
  joinFragments,
  quoteLiterals,
  toAssignments,
  toInsertedRows,
  trustedSql,
} from '#server/platform/postgres/sql-fragments.ts';
import { toRentalPeriodJsonSql } from './cards.ts';
import { toRentedOutCondition, toShownRentalClauses } from './filter.ts';
import {
  type DeletedListing,
  type ListingContent,
  type ListingForModeration,
  type ListingRow,
  listingColumns,
  type OwnedListing,
  type OwnListingRow,
  toContentColumns,
} from './listing-row.ts';
import { toPublicPriceRecord } from './public-price.ts';
import { type ListingPosition, toSortSql } from './sorts.ts';

export interface NewListing {
  userId: string;
  /** Idempotency key that the client generated for the listing. */
  clientId: string | null;
  content: ListingContent;
  status: ListingStatusAfterSave;
  /** Id of the listing that this one is a copy of. */
  copiedFrom?: string;
}

/**
 * The status of a listing after its owner saved it: `in_review` when a moderator must check the listing before it is
 * published.
 */
export type ListingStatusAfterSave = Exclude<ListingStatus, 'sold'>;

/** The current date on the campus (YYYY-MM-DD), and its time zone. */
interface CampusDay {
  today: string;
  timezone: string;
}

/** Returns the status of the listing `l` as its owner sees it: a listing whose game has passed is a draft. */
const toOwnStatusSql = (today: string): Fragment =>
  fragment`CASE WHEN ${toEndedCondition(today)} THEN 'draft' ELSE l.status END`;

const computedColumns = ['status', 'ended_at', 'paused_at'];
const storedColumns = trustedSql(
  listingColumns
    .filter((column) => !computedColumns.includes(column))
    .map((column) => `l.${column}`)
    .join(', '),
);

const toOwnListingColumns = ({ today, timezone }: CampusDay): Fragment => fragment`
  ${storedColumns}, ${toOwnStatusSql(today)} AS status,
  CASE WHEN ${toEndedCondition(today)} THEN ${toGameEndSql(timezone)} END AS ended_at,
  CASE WHEN ${toPausedCondition(today)} THEN l.paused_at END AS paused_at,
  (${publishedCondition} OR ${withdrawnCondition}) AND ${formerMemberListingCondition} AS awaits_membership,
  ${toPhotosJsonSql(fragment`l.photos`)} AS images,
  (SELECT b.display_name FROM users b WHERE b.id = l.sold_to) AS sold_to_name,
  (
    SELECT ${toRentalPeriodJsonSql(fragment`d`)}::jsonb || jsonb_build_object('is_out', d.state <> 'held')
    FROM deals d ${toShownRentalClauses(today)}
  ) AS rental,
  (
    SELECT count(*)::int FROM deals d WHERE d.listing_id = l.id AND d.state IN ${quoteLiterals(openDealStates)}
  ) AS open_deals,
  (SELECT count(*)::int FROM deals d WHERE d.listing_id = l.id AND d.state = 'offered') AS waiting_offers,
  (
    SELECT json_build_object('name', b.display_name, 'until', ${toCursorTimeSql(fragment`d.deadline_at`)},
      'meets_at', ${toCursorTimeSql(fragment`d.handover_at`)}, 'is_handed_over', d.state = 'handed_over')
    FROM deals d LEFT JOIN users b ON b.id = d.buyer_id
    WHERE d.listing_id = l.id AND d.state IN ('held', 'handed_over')
    ORDER BY coalesce(d.handover_at, d.deadline_at) LIMIT 1
  ) AS hold,
  (SELECT count(*)::int FROM saved_listings s WHERE s.listing_id = l.id) AS save_count,
  ${sellerActedAtSql} AS seller_acted_at, ${toQuestionOpenCondition(today)} AS is_question_open`;

/**
 * Prevents a person's listings from being changed by other transactions until this transaction ends, with an advisory
 * lock that all of them take.
 */
export const lockListingChanges = async (tx: Queryable, userId: string): Promise<void> => {
  await tx`SELECT pg_advisory_xact_lock(hashtextextended(${`listings of ${userId}`}, 0))`;
};

/**
 * Finds a listing and locks it until the transaction ends. Messages about it can still be sent in the meantime,
 * because this lock allows references to the row.
 */
export const findAndLockListing = async (tx: Queryable, id: string): Promise<ListingRow | undefined> => {
  const [row] = await tx<ListingRow[]>`
    SELECT ${columnList(listingColumns)} FROM listings WHERE id = ${id} FOR NO KEY UPDATE`;
  return row;
};

/** Returns whether somebody has ever claimed a free item, even if no claim is left. */
export const hasEverBeenClaimed = async (tx: Queryable, id: string): Promise<boolean> => {
  const rows = await tx`SELECT 1 FROM deals WHERE listing_id = ${id} AND kind = 'gift' LIMIT 1`;
  return rows.length > 0;
};

/** Finds the id of the listing that this person saved with the client's idempotency key. */
export const findListingByClientId = async (
  tx: Queryable,
  userId: string,
  clientId: string,
): Promise<string | undefined> => {
  const [row] = await tx<{ id: string }[]>`
    SELECT id FROM listings WHERE user_id = ${userId} AND client_id = ${clientId}`;
  return row?.id;
};

/** Finds the latest copy of a listing that is still a draft and was never published. Returns its id. */
export const findDraftCopy = async (
  sql: Queryable,
  { userId, copiedFrom }: { userId: string; copiedFrom: string },
): Promise<string | undefined> => {
  const [row] = await sql<{ id: string }[]>`
    SELECT id FROM listings
    WHERE user_id = ${userId} AND copied_from = ${copiedFrom} AND status = 'draft' AND published_at IS NULL
      AND hidden_at IS NULL AND deleted_at IS NULL
    ORDER BY created_at DESC LIMIT 1`;
  return row?.id;
};

/**
 * Finds a listing of this person that has exactly this content and was created after the given time. Returns its id.
 */
export const findDuplicateListing = async (
  tx: Queryable,
  duplicate: NewListing & { since: Date },
): Promise<string | undefined> => {
  const sameContent = Object.entries(toContentColumns(duplicate.content)).map(
    ([column, value]) => fragment`AND ${identifier(column)} IS NOT DISTINCT FROM ${value}`,
  );
  const [row] = await tx<{ id: string }[]>`
    SELECT id FROM listings
    WHERE user_id = ${duplicate.userId} AND created_at > ${duplicate.since} AND status = ${duplicate.status}
      AND deleted_at IS NULL ${joinFragments(sameContent, ' ')}
    ORDER BY created_at DESC LIMIT 1`;
  return row?.id;
};

/** Inserts a listing and returns its id, or undefined when the slug is taken. */
export const insertListing = async (
  tx: Queryable,
  listing: NewListing & { slug: string; drawClosesAt: Date | null; now: Date },
): Promise<string | undefined> => {
  const { content, status, now } = listing;
  const columns = {
    ...toContentColumns(content),
    slug: listing.slug,
    user_id: listing.userId,
    status,
    created_at: now,
    updated_at: now,
    published_at: status === 'published' ? now : null,
    held_at: status === 'in_review' ? now : null,
    client_id: listing.clientId,
    copied_from: listing.copiedFrom ?? null,
    away_until: fragment`(SELECT away_until FROM users WHERE id = ${listing.userId})`,
    draw_closes_at: status === 'published' ? listing.drawClosesAt : null,
  };
  const [row] = await tx<{ id: string }[]>`
    INSERT INTO listings ${toInsertedRows(columns)} ON CONFLICT (slug) DO NOTHING RETURNING id`;
  return row?.id;
};

/** Stores the content of a listing. Records the price that was public before, if that ends now. */
export const updateListingContent = async (
  tx: Queryable,
  listing: OwnedListing,
  {
    content,
    status,
    drawClosesAt,
    now,
  }: {
    content: ListingContent;
    /** The status that the listing gets in this transaction. */
    status: ListingStatusAfterSave;
    drawClosesAt: Date | null;
    now: Date;
  },
): Promise<void> => {
  const columns = { ...toContentColumns(content), draw_closes_at: drawClosesAt, updated_at: now };
  const hasOtherWording = checkedFields.map(
    (field) => fragment`OR ${identifier(field)} IS DISTINCT FROM ${columns[field]}`,
  );
  await tx`
    WITH earlier_price AS (
      INSERT INTO listing_prices (listing_id, price, rental_period, until)
      SELECT id, price, rental_period, ${now} FROM listings
      WHERE id = ${listing.id} AND status = 'published' AND (${status !== 'published'}
        OR (price, rental_period) IS DISTINCT FROM (${columns.price}::numeric, ${columns.rental_period}::text)))
    UPDATE listings SET ${toAssignments(columns)},
      wording_approved_at = CASE WHEN NOT (false ${joinFragments(hasOtherWording, ' ')}) THEN wording_approved_at END
    WHERE id = ${listing.id}`;
};

/**
 * Publishes a listing; its age counts from its first publication. One that was published or paused is confirmed to be
 * available. Returns false and changes nothing when the slug is taken.
 */
export const publishListing = async (
  tx: Queryable,
  listing: OwnedListing | ListingForModeration,
  {
    slug,
    drawClosesAt,
    showsFormerMember,
    now,
  }: { slug: string; drawClosesAt: Date | null; showsFormerMember: boolean; now: Date },
): Promise<boolean> => {
  const [taken] = await tx`SELECT 1 FROM listings WHERE slug = ${slug} AND id <> ${listing.id}`;
  if (taken) return false;
  await tx`
    UPDATE listings SET status = 'published', slug = ${slug}, updated_at = ${now}, held_at = NULL,
      requested_changes = NULL, ended_at = NULL, paused_at = NULL, asked_at = NULL,
      confirmed_at = CASE WHEN status = 'published' OR (status = 'draft' AND paused_at IS NOT NULL) THEN ${now}
        ELSE confirmed_at END,
      away_until = CASE WHEN away_until = 'infinity' AND ${showsFormerMember}
        THEN (SELECT away_until FROM users WHERE id = listings.user_id) ELSE away_until END,
      published_at = coalesce(published_at, ${now}), draw_closes_at = ${drawClosesAt},
      created_at = CASE WHEN published_at IS NULL THEN ${now} ELSE created_at END
    WHERE id = ${listing.id}`;
  return true;
};

export const unpublishListing = async (tx: Queryable, listing: OwnedListing, now: Date): Promise<void> => {
  await tx`
    WITH ${toPublicPriceRecord(listing.id, now)}
    UPDATE listings SET status = 'draft', held_at = NULL, ended_at = NULL, paused_at = NULL, asked_at = NULL, updated_at = ${now}
    WHERE id = ${listing.id}`;
};

const endListings = async (
  tx: Queryable,
  { timezone, now }: CampusDay & { now: Date },
  listings: Fragment,
): Promise<number> => {
  const { count } = await tx`
    WITH ended AS (${listings}), public_price AS (
      INSERT INTO listing_prices (listing_id, price, rental_period, until)
      SELECT l.id, l.price, l.rental_period, ${now} FROM ended JOIN listings l ON l.id = ended.id
      WHERE l.status = 'published')
    UPDATE listings l SET status = 'draft', ended_at = ${toGameEndSql(timezone)}, paused_at = NULL, updated_at = ${now}
    FROM ended WHERE l.id = ended.id`;
  return count;
};

/** Makes a published or paused listing whose game has passed a draft that ended. */
export const endListing = async (
  tx: Queryable,
  { id }: Pick<OwnedListing, 'id'>,
  moment: CampusDay & { now: Date },
): Promise<void> => {
  await endListings(tx, moment, fragment`SELECT l.id FROM listings l WHERE l.id = ${id}`);
};

/**
 * Makes up to `limit` published listings drafts whose games have passed and that are not on hold. Skips those that other
 * transactions are changing. Returns their number.
 */
export const endPassedListings = (
  tx: Queryable,
  moment: CampusDay & { now: Date },
  limit: number,
): Promise<number> =>
  endListings(
    tx,
    moment,
    fragment`
      SELECT l.id FROM listings l
      WHERE l.status = 'published' AND l.category = 'game-day' AND l.game_date < ${moment.today}::date AND NOT l.is_on_hold
      ORDER BY l.game_date LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED`,
  );

/**
 * Marks a listing as deleted and makes it a draft, so that nobody sees it. Clears its client id, so
 * that the form can use the same client id for a new listing.
 */
export const markListingDeleted = async (tx: Queryable, listing: OwnedListing, now: Date): Promise<void> => {
  await tx`
    UPDATE listings SET deleted_at = ${now}, status_before_deletion = status, status = 'draft', client_id = NULL
    WHERE id = ${listing.id}`;
};

/** Restores a deleted listing with its earlier status, or as a draft if it was taken down in the meantime. */
export const restoreListing = async (tx: Queryable, listing: DeletedListing): Promise<void> => {
  await tx`
    UPDATE listings SET deleted_at = NULL, status_before_deletion = NULL,
      status = CASE WHEN hidden_at IS NULL THEN status_before_deletion ELSE 'draft' END
    WHERE id = ${listing.id}`;
};

/** Lists the listings that were deleted at the given time or earlier. */
export const listDueDeletions = async (
  sql: Queryable,
  deletedBefore: Date,
): Promise<{ id: string; userId: string }[]> =>
  sql<{ id: string; userId: string }[]>`
    SELECT id, user_id AS "userId" FROM listings WHERE deleted_at <= ${deletedBefore} ORDER BY deleted_at`;

/**
 * Removes a deleted listing. Returns false and removes nothing when a conversation about it was
 * created in the meantime; the caller then tries again in a new transaction.
 */
export const removeListing = async (tx: Queryable, listing: DeletedListing): Promise<boolean> => {
  // Conversations are locked before their listing, in the same order as when a first message is sent.
  const { count: held } = await tx`
    SELECT 1 FROM conversations WHERE listing_id = ${listing.id} ORDER BY id FOR UPDATE`;
  // The lock on the listing prevents new conversations about it until the transaction ends.
  await tx`SELECT 1 FROM listings WHERE id = ${listing.id} FOR UPDATE`;
  const { count: present } = await tx`SELECT 1 FROM conversations WHERE listing_id = ${listing.id}`;
  if (present !== held) return false;
  await tx`DELETE FROM listings WHERE id = ${listing.id}`;
  return true;
};

export const findOwnListing = async (
  sql: Queryable,
  { userId, id, ...day }: { userId: string; id: string } & CampusDay,
): Promise<OwnListingRow | undefined> => {
  const [row] = await sql<OwnListingRow[]>`SELECT ${toOwnListingColumns(day)} FROM listings l
    WHERE l.id = ${id} AND l.user_id = ${userId} AND l.deleted_at IS NULL`;
  return row;
};

export interface OwnListingsPage {
  items: OwnListingRow[];
  counts: OwnListingPage['counts'];
  /** Position of the last listing on this page, or undefined when no more listings follow. */
  end: ListingPosition | undefined;
}

/**
 * Lists a page of a person's listings, newest first, together with the number of listings in each tab (see
 * `getOwnListingTab`).
 */
export const listOwnListings = async (
  sql: Queryable,
  wanted: {
    userId: string;
    status?: ListingStatus | undefined;
    category?: Category | undefined;
    after: ListingPosition | undefined;
    limit: number;
  } & CampusDay,
): Promise<OwnListingsPage> => {
  const { userId, status = null, category = null, limit, today } = wanted;
  const ownStatus = toOwnStatusSql(today);
  const { orderBy, after } = toSortSql('newest', wanted.after);
  const statement = fragment`
    WITH counts AS (
      SELECT count(*) FILTER (WHERE status = 'published' AND NOT is_rented AND NOT is_on_hold) AS active,
        count(*) FILTER (WHERE status = 'published' AND NOT is_rented AND is_on_hold) AS on_hold,
        count(*) FILTER (WHERE status = 'sold' AND NOT is_rented) AS sold,
        count(*) FILTER (WHERE status IN ('published', 'sold') AND is_rented) AS rented,
        count(*) FILTER (WHERE status IN ('draft', 'in_review')) AS drafts
      FROM (
        SELECT ${ownStatus} AS status, is_on_hold, CASE status WHEN 'sold' THEN category = 'rentals'
          ELSE ${toRentedOutCondition(today)} END AS is_rented
        FROM listings l WHERE user_id = ${userId} AND deleted_at IS NULL
      ) AS own
    ), page AS (
      SELECT ${toOwnListingColumns(wanted)}, ${toCursorTimeSql(fragment`l.created_at`)} AS position FROM listings l
      WHERE l.user_id = ${userId} AND l.deleted_at IS NULL AND (${status}::text IS NULL OR ${ownStatus} = ${status})
        AND (${category}::text IS NULL OR l.category = ${category}) ${after}
      ORDER BY ${orderBy} LIMIT ${limit + 1}
    )
    SELECT counts.*, page.* FROM counts LEFT JOIN page ON true
    ORDER BY page.created_at DESC, page.id DESC`;
  const rows = await sql<(OwnListingRow & { position: string } & OwnListingsPage['counts'])[]>`${statement}`;
  const [first] = rows;
  const found = rows.filter((row) => row.id !== null);
  const items = found.slice(0, limit);
  const last = found.length > limit ? items.at(-1) : undefined;
  return {
    items,
    counts: {
      active: first?.active ?? 0,
      on_hold: first?.on_hold ?? 0,
      sold: first?.sold ?? 0,
      rented: first?.rented ?? 0,
      drafts: first?.drafts ?? 0,
    },
    end: last && { key: null, createdAt: last.position, id: last.id },
  };
};
