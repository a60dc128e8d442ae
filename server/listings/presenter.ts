import type { Listing, ListingCard, OwnListing } from '#contract/listings.ts';
import type { CardRow } from './cards.ts';
import type { DetailRow } from './read-repository.ts';
import type { OwnListingRow } from './repository.ts';

/** What everyone may see of a listing in a list. */
export const presentCard = (row: CardRow): ListingCard => ({
  id: row.id,
  slug: row.slug,
  user_id: row.user_id,
  title: row.title,
  price: row.price,
  category: row.category,
  condition: row.condition,
  location: row.location,
  game_date: row.game_date,
  created_at: row.created_at.toISOString(),
  cover: row.cover,
  seller: {
    id: row.user_id,
    name: row.seller_name,
    avatar_url: row.seller_avatar_url,
    usc_verified: row.seller_verified,
  },
});

/** What everyone may see of a published listing. */
export const presentListing = (row: DetailRow): Listing => ({
  ...presentCard(row),
  status: 'published',
  description: row.description,
  contact_email: row.contact_email,
  contact_phone: row.contact_phone,
  photos: row.photos,
  images: row.images,
  updated_at: row.updated_at.toISOString(),
});

/** What its owner sees of a listing. */
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
