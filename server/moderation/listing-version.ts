import { createHash } from 'node:crypto';

/** What a version of a listing consists of. */
export interface VersionedListing {
  title: string | null;
  description: string | null;
  photos: readonly string[];
}

/** Returns a digest of the texts and photos of a listing, which tells whether a moderator has seen them as they are. */
export const toListingVersion = ({ title, description, photos }: VersionedListing): string =>
  createHash('sha256')
    .update(JSON.stringify([title, description, photos]))
    .digest('base64url');
