import { type OwnListing, ownListingSchema } from '#contract/listings.ts';
import type { OwnListingRow } from './repository.ts';

const fields = Object.keys(ownListingSchema.shape) as (keyof OwnListing & keyof OwnListingRow)[];

/** Presents a listing to its owner: the fields of the contract, whatever else the row has. */
export const presentOwn = (row: Pick<OwnListingRow, keyof OwnListing>): OwnListing => ({
  ...(Object.fromEntries(fields.map((field) => [field, row[field]])) as Omit<
    typeof row,
    'created_at' | 'updated_at'
  >),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
