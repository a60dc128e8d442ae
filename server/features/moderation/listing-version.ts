import { createHash } from 'node:crypto';
import { type PublicContent, publicContentFields } from '#contract/listings.ts';

/**
 * Returns a hash of everything that a listing shows to others, with which the server detects that any of it changed after a
 * moderator saw it.
 */
export const toListingVersion = (content: PublicContent): string =>
  createHash('sha256')
    .update(JSON.stringify(publicContentFields.map((field) => [field, content[field]])))
    .digest('base64url');
