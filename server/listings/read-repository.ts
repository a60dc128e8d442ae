import type { Photo } from '#contract/photos.ts';
import type { Queryable } from '#server/platform/database.ts';
import { type CardRow, cardColumns, cardSource } from './cards.ts';

export interface DetailRow extends CardRow {
  description: string;
  contact_email: string | null;
  contact_phone: string | null;
  photos: string[];
  images: Photo[];
  updated_at: Date;
}

/** The newest published listings, uncounted. */
export const listLatest = (sql: Queryable, limit: number): Promise<CardRow[]> =>
  sql<CardRow[]>`
    SELECT ${cardColumns(sql)} FROM ${cardSource(sql)} WHERE l.status = 'published'
    ORDER BY l.created_at DESC, l.id DESC LIMIT ${limit}`;

export const findPublished = async (sql: Queryable, slug: string): Promise<DetailRow | undefined> => {
  const [row] = await sql<DetailRow[]>`
    SELECT ${cardColumns(sql)}, l.description, l.contact_email, l.contact_phone, l.photos, l.updated_at,
      coalesce((
        SELECT json_agg(json_build_object('url', p.url, 'width', p.width, 'height', p.height,
          'thumbhash', p.thumbhash) ORDER BY photo.place)
        FROM unnest(l.photos) WITH ORDINALITY AS photo (url, place)
        JOIN private.objects p ON p.url = photo.url
      ), '[]') AS images
    FROM ${cardSource(sql)}
    WHERE l.slug = ${slug} AND l.status = 'published'`;
  return row;
};

/** The newest others of a published listing's category; undefined when there is no such listing. */
export const listSimilar = async (
  sql: Queryable,
  slug: string,
  limit: number,
): Promise<CardRow[] | undefined> => {
  const rows = await sql<CardRow[]>`
    WITH subject AS (SELECT id, category FROM listings WHERE slug = ${slug} AND status = 'published')
    SELECT card.* FROM subject LEFT JOIN LATERAL (
      SELECT ${cardColumns(sql)} FROM ${cardSource(sql)}
      WHERE l.status = 'published' AND l.category = subject.category AND l.id <> subject.id
      ORDER BY l.created_at DESC, l.id DESC LIMIT ${limit}
    ) AS card ON true
    ORDER BY card.created_at DESC, card.id DESC`;
  return rows.length === 0 ? undefined : rows.filter((row) => row.id !== null);
};

export interface AddressRow {
  slug: string;
  updated_at: Date;
}

/** Some of the addresses of all published listings, the newest first, with what there is to say of all. */
export const listAddresses = async (
  sql: Queryable,
  part: { offset: number; limit: number },
): Promise<{ rows: AddressRow[]; total: number; changedAt: Date | null }> => {
  const rows = await sql<(AddressRow & { total: number; changed_at: Date | null })[]>`
    WITH total AS (
      SELECT count(*) AS total, max(updated_at) AS changed_at FROM listings WHERE status = 'published'
    ),
    part AS (
      SELECT slug, updated_at FROM listings WHERE status = 'published'
      ORDER BY created_at DESC, id DESC OFFSET ${part.offset} LIMIT ${part.limit}
    )
    SELECT total.*, part.* FROM total LEFT JOIN part ON true`;
  const [{ total, changed_at: changedAt } = { total: 0, changed_at: null }] = rows;
  return { rows: rows.filter((row) => row.slug !== null), total, changedAt };
};
