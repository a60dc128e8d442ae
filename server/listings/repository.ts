import type { Category } from '#contract/categories.ts';
import type { ListingStatus } from '#contract/listings.ts';
import { photoFields } from '#server/photos/sql.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { fragment, runStatement, trusted } from '#server/platform/postgres/sql-fragments.ts';
import { jsonSql, object } from '#server/platform/postgres/sql-json.ts';
import {
  type ListingContent,
  type ListingRow,
  listingColumns,
  type OwnedListing,
  type OwnListingRow,
  toColumns,
} from './listing-row.ts';
import { microseconds, type Position, sortOf } from './sorts.ts';

export interface NewListing {
  userId: string;
  /** The client's own id of the listing, which makes creating it idempotent. */
  clientId: string | null;
  content: ListingContent;
  status: ListingStatus;
}

const ownColumns = fragment`
  ${trusted(listingColumns.map((column) => `l.${column}`).join(', '))},
  coalesce((
    SELECT json_agg(${jsonSql(object(photoFields('o')))}::json ORDER BY p.place)
    FROM unnest(l.photos) WITH ORDINALITY AS p (url, place) JOIN private.objects o ON o.url = p.url
  ), '[]') AS images`;

/** Serializes saves of one person until the transaction ends. */
export const lockSaving = async (tx: Queryable, userId: string): Promise<void> => {
  await tx`SELECT pg_advisory_xact_lock(hashtextextended(${`listings of ${userId}`}, 0))`;
};

/**
 * Finds and locks a listing until the transaction ends. Messages about it can still be sent, since its key does not
 * change.
 */
export const findForChange = async (tx: Queryable, id: string): Promise<ListingRow | undefined> => {
  const [row] = await tx<ListingRow[]>`
    SELECT ${tx(listingColumns)} FROM listings WHERE id = ${id} FOR NO KEY UPDATE`;
  return row;
};

/** Finds the id of the listing that this person's client saved under its own id. */
export const findByClientId = async (
  tx: Queryable,
  userId: string,
  clientId: string,
): Promise<string | undefined> => {
  const [row] = await tx<{ id: string }[]>`
    SELECT id FROM listings WHERE user_id = ${userId} AND client_id = ${clientId}`;
  return row?.id;
};

/** Finds a listing of this person with exactly this content, created since an instant. */
export const findDuplicate = async (
  tx: Queryable,
  duplicate: NewListing & { since: Date },
): Promise<string | undefined> => {
  const sameContent = Object.entries(toColumns(duplicate.content)).map(
    ([column, value]) => tx`AND ${tx(column)} IS NOT DISTINCT FROM ${value}`,
  );
  const [row] = await tx<{ id: string }[]>`
    SELECT id FROM listings
    WHERE user_id = ${duplicate.userId} AND created_at > ${duplicate.since} AND status = ${duplicate.status}
      ${sameContent}
    ORDER BY created_at DESC LIMIT 1`;
  return row?.id;
};

/** Returns the new listing's id; undefined when the slug is taken. */
export const insertListing = async (
  tx: Queryable,
  listing: NewListing & { slug: string; now: Date },
): Promise<string | undefined> => {
  const { content, status, now } = listing;
  const columns = {
    ...toColumns(content),
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
  await tx`UPDATE listings SET ${tx({ ...toColumns(content), updated_at: now })} WHERE id = ${listing.id}`;
};

/** Publishes a listing; it counts as new from its first publication. Returns false, unchanged, when the slug is taken. */
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

export const withdraw = async (tx: Queryable, listing: OwnedListing, now: Date): Promise<void> => {
  await tx`UPDATE listings SET status = 'draft', updated_at = ${now} WHERE id = ${listing.id}`;
};

/** Deletes a listing. Returns false, unchanged, when a conversation was created in the meantime; the caller retries. */
export const deleteListing = async (tx: Queryable, listing: OwnedListing): Promise<boolean> => {
  // Lock conversations before their listing, in the same order as sending a first message does.
  const { count: held } = await tx`
    SELECT 1 FROM conversations WHERE listing_id = ${listing.id} ORDER BY id FOR UPDATE`;
  // With this lock nobody can create a conversation about it.
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
  /** Where the page ended, if there is more. */
  end: Position | undefined;
}

/** Lists a page of a person's listings, newest first, with the total of each status over all pages. */
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
  const { orderBy, after } = sortOf('newest', wanted.after);
  const statement = fragment`
    WITH counts AS (
      SELECT count(*) FILTER (WHERE status = 'published') AS published,
        count(*) FILTER (WHERE status = 'draft') AS draft
      FROM listings WHERE user_id = ${userId}
    ), page AS (
      SELECT ${ownColumns}, ${microseconds(fragment`l.created_at`)} AS position FROM listings l
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
