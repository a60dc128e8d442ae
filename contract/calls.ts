import { z } from 'zod';
import { accountCalls } from './calls/accounts.ts';
import { blockCalls } from './calls/blocks.ts';
import { bookCalls } from './calls/books.ts';
import { conversationCalls } from './calls/conversations.ts';
import { dealCalls } from './calls/deals.ts';
import { listingCalls } from './calls/listings.ts';
import { notificationCalls } from './calls/notifications.ts';
import { profileCalls } from './calls/profiles.ts';
import { reportCalls } from './calls/reports.ts';
import { reviewCalls } from './calls/reviews.ts';
import { savedListingAndSearchCalls } from './calls/saved.ts';
import { wantedCalls } from './calls/wanted.ts';
import { idSchema } from './text.ts';

/**
 * All calls except those of the moderation console. The console's calls have a file of their own, so that
 * only the console loads them.
 */
export const calls = {
  ...accountCalls,
  ...profileCalls,
  ...reviewCalls,
  ...listingCalls,
  ...bookCalls,
  ...savedListingAndSearchCalls,
  ...wantedCalls,
  ...notificationCalls,
  ...blockCalls,
  ...conversationCalls,
  ...dealCalls,
  ...reportCalls,
};

/**
 * Response of an upload to /storage/v1. The upload routes are not declared in `calls`, because
 * their request bodies are files, not JSON.
 */
export const uploadResponseSchema = z.object({ path: z.string(), publicUrl: z.string() });
/** Response of an upload to the bucket `message-photos`, whose photos have no public URL. */
export const messagePhotoUploadSchema = z.object({ id: idSchema });
