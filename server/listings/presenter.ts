import type { OwnListing } from '#contract/listings.ts';
import type { OwnListingRow } from './repository.ts';

/** Presents a listing to its owner. */
export const presentOwn = (row: OwnListingRow): OwnListing => ({
  id: row.id,
  slug: row.slug,
  user_id: row.user_id,
  title: row.title,
  description: row.description,
  price: row.price,
  category: row.category,
  condition: row.condition,
  location: row.location,
  status: row.status,
  game_date: row.game_date,
  contact_email: row.contact_email,
  contact_phone: row.contact_phone,
  photos: row.photos,
  images: row.images,
  hidden_reason: row.hidden_reason,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
