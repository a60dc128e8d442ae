import type { Category, Condition } from '#contract/categories.ts';
import type { ListingStatus } from '#contract/listings.ts';

/** A listing with all its stored fields. */
export interface ListingRow {
  id: string;
  slug: string;
  user_id: string;
  title: string | null;
  description: string | null;
  price: number | null;
  photos: string[];
  category: Category | null;
  condition: Condition | null;
  location: string | null;
  status: ListingStatus;
  game_date: string | null;
  contact_email: string | null;
  contact_phone: string | null;
  created_at: Date;
  updated_at: Date;
  published_at: Date | null;
  /** When an administrator took it down; it stays a draft until it is restored. */
  hidden_at: Date | null;
  hidden_reason: string | null;
}

declare const owned: unique symbol;

/** A listing that the policy has confirmed as the caller's own; only such listings can be changed or deleted. */
export type OwnedListing = ListingRow & { readonly [owned]: true };
