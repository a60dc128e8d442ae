import type { Photo } from '#contract/photos.ts';
import type { LeftJoinedColumns } from '#server/platform/postgres/joined-row.ts';
import { type Fragment, fragment } from '#server/platform/postgres/sql-fragments.ts';

/** A row with `coverColumns`. */
export type CoverRow = LeftJoinedColumns<'cover', Photo>;

/** The columns for `presentCover`, from `LEFT JOIN private.objects cover`. */
export const coverColumns = fragment`
  cover.url AS cover_url, cover.width AS cover_width, cover.height AS cover_height, cover.thumbhash AS cover_thumbhash`;

export const presentCover = (row: CoverRow): Photo | null =>
  row.cover_url === null
    ? null
    : {
        url: row.cover_url,
        width: row.cover_width,
        height: row.cover_height,
        thumbhash: row.cover_thumbhash,
      };

/** Returns the SQL for the stored photos of an array of URLs, in its order, as JSON (`Photo[]` of contract/photos.ts). */
export const toPhotosJsonSql = (urls: Fragment): Fragment => fragment`coalesce((
  SELECT json_agg(json_build_object('url', o.url, 'width', o.width, 'height', o.height, 'thumbhash', o.thumbhash)
    ORDER BY p.place)
  FROM unnest(${urls}) WITH ORDINALITY AS p (url, place) JOIN private.objects o ON o.url = p.url
), '[]')`;

/** Returns the path of a photo of a message, from its sender and its id. */
export const buildMessagePhotoObjectPath = (senderId: string, id: string): string => `${senderId}/${id}.jpg`;

/** Returns the SQL of the id in the path of a photo of a message. */
export const toMessagePhotoIdSql = (path: Fragment): Fragment =>
  fragment`split_part(split_part(${path}, '/', 2), '.', 1)::uuid`;
