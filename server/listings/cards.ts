import type { Category, Condition } from '#contract/categories.ts';
import type { Photo } from '#contract/photos.ts';
import type { Fragment, Queryable } from '#server/platform/database.ts';

/** A published listing as a card shows it, with cover and seller. */
export interface CardRow {
  id: string;
  slug: string;
  user_id: string;
  title: string;
  price: number;
  category: Category;
  condition: Condition;
  location: string;
  game_date: string | null;
  created_at: Date;
  cover: Photo | null;
  seller_name: string;
  seller_avatar_url: string | null;
  seller_verified: boolean;
}

export const cardColumns = (sql: Queryable): Fragment => sql`
  l.id, l.slug, l.user_id, l.title, l.price, l.category, l.condition, l.location, l.game_date, l.created_at,
  CASE WHEN o.url IS NOT NULL THEN
    json_build_object('url', o.url, 'width', o.width, 'height', o.height, 'thumbhash', o.thumbhash) END AS cover,
  u.display_name AS seller_name, u.avatar_url AS seller_avatar_url, u.usc_verified AS seller_verified`;

export const cardSource = (sql: Queryable): Fragment => sql`
  listings l JOIN users u ON u.id = l.user_id LEFT JOIN private.objects o ON o.url = l.photos[1]`;
