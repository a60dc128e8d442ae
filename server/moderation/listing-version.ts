import { createHash } from 'node:crypto';

/** The parts of a listing that make up a version of it. */
export interface VersionedListing {
  title: string | null;
  description: string | null;
  photos: readonly string[];
}

/**
 * Returns a hash of the texts and photos of a listing, with which the server detects that they changed after a
 * moderator saw them.
 */
export const toListingVersion = ({ title, description, photos }: VersionedListing): string =>
  createHash('sha256')
    .update(JSON.stringify([title, description, photos]))
    .digest('base64url');
