import { z } from 'zod';
import { createProblem } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import { readOriginalPhoto } from '#server/features/photos/public.ts';
import type { StoredFile } from '#server/platform/files/files.ts';
import { deleteUnreferencedFiles } from '#server/platform/files/unreferenced-files.ts';
import type { QueueDefinition } from '#server/platform/jobs.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { isOwnCase } from './action-policy.ts';
import { findQuote } from './case-detail-repository.ts';
import {
  listExistingQuoteIds,
  type QuotedSubject,
  quotedPhotoFolder,
  saveQuote,
  toQuotedPhotoKey,
} from './quote-repository.ts';

export interface QuotedPhotoCopyJob {
  quote_id: string;
  urls: string[];
}

/** Queue of photos that must be copied, because their owner may delete them soon. */
export const quotedPhotoCopyQueue: QueueDefinition<QuotedPhotoCopyJob> = {
  name: 'copy-quoted-photos',
  retries: 10,
  retryDelay: 1,
  payload: z.object({ quote_id: z.uuid(), urls: z.array(z.string()) }),
};

/**
 * Queue for deleting the photo copies of deleted cases. Jobs are added in the deleting transaction and retried if they
 * fail.
 */
export const quotedPhotoRemovalQueue: QueueDefinition<{ keys: string[] }> = {
  name: 'remove-quoted-photos',
  retries: 20,
  retryDelay: 10,
  payload: z.object({ keys: z.array(z.string()) }),
};

/**
 * Stores a quote of the reported listing, person or message in a case, queues the copying of its photos and returns the
 * id of the quote.
 */
export const storeQuote = async (
  { clock, jobs }: App,
  tx: Queryable,
  caseId: string,
  quoted: QuotedSubject,
): Promise<string> => {
  const { id, isNew } = await saveQuote(tx, { caseId, quoted, now: clock.now() });
  if (isNew && quoted.photos.length > 0)
    await jobs.enqueue(tx, quotedPhotoCopyQueue, { quote_id: id, urls: quoted.photos });
  return id;
};

/**
 * Opens the copy of a quoted photo, or returns undefined when there is none. Throws own_case when the case is about the
 * person who opens the photo.
 */
export const findQuotedPhoto = async (
  { sql, files }: App,
  userId: string,
  quoteId: string,
  index: number,
): Promise<StoredFile | undefined> => {
  const quote = await findQuote(sql, quoteId);
  if (!quote) return undefined;
  if (isOwnCase(quote, { userId })) throw createProblem('own_case');
  return index < quote.photo_count ? files.read(toQuotedPhotoKey(quoteId, index)) : undefined;
};

/** Copies the photos of a quote. Skips photos that their owner has deleted in the meantime. */
export const copyQuotedPhotos = async (
  app: App,
  { quote_id: quoteId, urls }: QuotedPhotoCopyJob,
): Promise<void> => {
  for (const [index, url] of urls.entries()) {
    const bytes = await readOriginalPhoto(app, url);
    if (bytes) await app.files.put(toQuotedPhotoKey(quoteId, index), bytes, { contentType: 'image/jpeg' });
  }
};

export const removeQuotedPhotos = async ({ files }: App, keys: readonly string[]): Promise<void> => {
  for (const key of keys) await files.delete(key);
};

/** Deletes the copies older than a day whose quote does not exist. */
export const removeQuotedPhotoOrphans = ({ sql, files, clock }: App): Promise<void> =>
  deleteUnreferencedFiles({
    files,
    clock,
    folder: quotedPhotoFolder,
    toReference: (key) => key.split('/')[1] ?? '',
    listKnown: (ids) => listExistingQuoteIds(sql, ids),
  });
