import type { Category } from '#contract/categories.ts';
import type { ListingStatus } from '#contract/listings.ts';
import { photoFields } from '#server/photos/sql.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { fragment, runStatement, trustedSql } from '#server/platform/postgres/sql-fragments.ts';
import { jsonSql, object } from '#server/platform/postgres/sql-json.ts';
import {
  type ListingContent,
  type ListingRow,
  listingColumns,
  type OwnedListing,
  type OwnListingRow,
  toContentColumns,
} from './listing-row.ts';
import { formatMicroseconds, type Position, toSortSql } from './sorts.ts';

export interface NewListing {
  userId: string;
  /** Idempotency key that the client generated for the listing. */
  clientId: string | null;
  content: ListingContent;
  status: ListingStatus;
}

const ownColumns = fragment`
  ${trustedSql(listingColumns.map((column) => `l.${column}`).join(', '))},
  coalesce((
    SELECT json_agg(${jsonSql(object(photoFields('o')))}::json ORDER BY p.place)
    FROM unnest(l.photos) WITH ORDINALITY AS p (url, place) JOIN private.objects o ON o.url = p.url
  ), '[]') AS images`;

/** Makes other saves of the same person wait until the transaction ends. */
export const lockListingSaves = async (tx: Queryable, userId: string): Promise<void> => {
  await tx`SELECT pg_advisory_xact_lock(hashtextextended(${`listings of ${userId}`}, 0))`;
};

/**
 * Finds a listing and locks it until the transaction ends. Messages about it can still be sent meanwhile, because this
 * lock allows references to the row.
 */
export const findAndLockListing = async (tx: Queryable, id: string): Promise<ListingRow | undefined> => {
  const [row] = await tx<ListingRow[]>`
    SELECT ${tx(listingColumns)} FROM listings WHERE id = ${id} FOR NO KEY UPDATE`;
  return row;
};

/** Finds the id of the listing that this person saved with the client's idempotency key. */
export const findByClientId = async (
  tx: Queryable,
  userId: string,
  clientId: string,
): Promise<string | undefined> => {
  const [row] = await tx<{ id: string }[]>`
    SELECT id FROM listings WHERE user_id = ${userId} AND client_id = ${clientId}`;
  return row?.id;
};

/** Finds a listing of this person that has exactly this content and was created after an instant; returns its id. */
export const findDuplicate = async (
  tx: Queryable,
  duplicate: NewListing & { since: Date },
): Promise<string | undefined> => {
  const sameContent = Object.entries(toContentColumns(duplicate.content)).map(
    ([column, value]) => tx`AND ${tx(column)} IS NOT DISTINCT FROM ${value}`,
  );
  const [row] = await tx<{ id: string }[]>`
    SELECT id FROM listings
    WHERE user_id = ${duplicate.userId} AND created_at > ${duplicate.since} AND status = ${duplicate.status}
      ${sameContent}
    ORDER BY created_at DESC LIMIT 1`;
  return row?.id;
};

/** Inserts a listing and returns its id; undefined when the slug is taken. */
export const insertListing = async (
  tx: Queryable,
  listing: NewListing & { slug: string; now: Date },
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
    client_id: listing.clientId,
  };
  const [row] = await tx<{ id: string }[]>`
    INSERT INTO listings ${tx(columns)} ON CONFLICT (slug) DO NOTHING RETURNING id`;
  return row?.id;
};

export const updateContent = async (
  tx: Queryable,
  listing: OwnedListing,
  { content, now }: { content: ListingContent; now: Date },
): Promise<void> => {
  await tx`UPDATE listings SET ${tx({ ...toContentColumns(content), updated_at: now })} WHERE id = ${listing.id}`;
};

/**
 * Publishes a listing; its age counts from its first publication. Returns false and changes nothing when the slug is
 * taken.
 */
export const publish = async (
  tx: Queryable,
  listing: OwnedListing,
  { slug, now }: { slug: string; now: Date },
): Promise<boolean> => {
  const [taken] = await tx`SELECT 1 FROM listings WHERE slug = ${slug} AND id <> ${listing.id}`;
  if (taken) return false;
  await tx`
    UPDATE listings SET status = 'published', slug = ${slug}, updated_at = ${now},
      published_at = coalesce(published_at, ${now}),
      created_at = CASE WHEN published_at IS NULL THEN ${now} ELSE created_at END
    WHERE id = ${listing.id}`;
  return true;
};

export const unpublish = async (tx: Queryable, listing: OwnedListing, now: Date): Promise<void> => {
  await tx`UPDATE listings SET status = 'draft', updated_at = ${now} WHERE id = ${listing.id}`;
};

/**
 * Deletes a listing. Returns false and deletes nothing when a conversation about it was created in the meantime; the
 * caller then tries again.
 */
export const deleteListing = async (tx: Queryable, listing: OwnedListing): Promise<boolean> => {
  // Conversations are locked before their listing, in the same order as when a first message is sent.
  const { count: held } = await tx`
    SELECT 1 FROM conversations WHERE listing_id = ${listing.id} ORDER BY id FOR UPDATE`;
  // While this lock is held, nobody can create a conversation about the listing.
  await tx`SELECT 1 FROM listings WHERE id = ${listing.id} FOR UPDATE`;
  const { count: present } = await tx`SELECT 1 FROM conversations WHERE listing_id = ${listing.id}`;
  if (present !== held) return false;
  await tx`DELETE FROM listings WHERE id = ${listing.id}`;
  return true;
};

export const findOwn = async (
  sql: Queryable,
  userId: string,
  id: string,
): Promise<OwnListingRow | undefined> => {
  const [row] = await runStatement<OwnListingRow>(
    sql,
    fragment`SELECT ${ownColumns} FROM listings l WHERE l.id = ${id} AND l.user_id = ${userId}`,
  );
  return row;
};

export interface OwnListings {
  items: OwnListingRow[];
  counts: { published: number; draft: number };
  /** Position of the last listing; undefined when no more listings follow. */
  end: Position | undefined;
}

/** Lists a page of a person's listings, newest first, with the number of all of them by status. */
export const listOwn = async (
  sql: Queryable,
  wanted: {
    userId: string;
    status?: ListingStatus | undefined;
    category?: Category | undefined;
    after: Position | undefined;
    limit: number;
  },
): Promise<OwnListings> => {
  const { userId, status = null, category = null, limit } = wanted;
  const { orderBy, after } = toSortSql('newest', wanted.after);
  const statement = fragment`
    WITH counts AS (
      SELECT count(*) FILTER (WHERE status = 'published') AS published,
        count(*) FILTER (WHERE status = 'draft') AS draft
      FROM listings WHERE user_id = ${userId}
    ), page AS (
      SELECT ${ownColumns}, ${formatMicroseconds(fragment`l.created_at`)} AS position FROM listings l
      WHERE l.user_id = ${userId} AND (${status}::text IS NULL OR l.status = ${status})
        AND (${category}::text IS NULL OR l.category = ${category}) ${after}
      ORDER BY ${orderBy} LIMIT ${limit + 1}
    )
    SELECT counts.published, counts.draft, page.* FROM counts LEFT JOIN page ON true
    ORDER BY page.created_at DESC, page.id DESC`;
  const rows = await runStatement<OwnListingRow & { position: string; published: number; draft: number }>(
    sql,
    statement,
  );
  const [first] = rows;
  const found = rows.filter((row) => row.id !== null);
  const items = found.slice(0, limit);
  const last = found.length > limit ? items.at(-1) : undefined;
  return {
    items,
    counts: { published: first?.published ?? 0, draft: first?.draft ?? 0 },
    end: last && { key: null, createdAt: last.position, id: last.id },
  };
};
