import type { Category, Condition } from '#contract/categories.ts';
import type { ListingStatus } from '#contract/listings.ts';

/** A listing as its owner holds it. */
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
  /** When an administrator hid it; it is a draft and stays one until it is shown again. */
  hidden_at: Date | null;
  hidden_reason: string | null;
}

declare const owned: unique symbol;

/** A listing that the policy has found to be the caller's: only these can be changed or deleted. */
export type OwnedListing = ListingRow & { readonly [owned]: true };
