import { z } from 'zod';
import { createProblem } from '#contract/errors.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { FileStore, StoredFile } from '#server/platform/files/files.ts';
import { deleteUnreferencedFiles } from '#server/platform/files/unreferenced-files.ts';
import type { JobQueue, QueueDefinition } from '#server/platform/jobs.ts';
import type { Queryable, Sql } from '#server/platform/postgres/database.ts';
import { isOwnCase } from './action-policy.ts';
import { findQuote } from './case-detail-repository.ts';
import {
  listExistingQuoteIds,
  type QuotedSubject,
  quotedPhotoFolder,
  saveQuote,
  toQuotedPhotoKey,
} from './quote-repository.ts';

/** Queue of photos that must be copied, because their owner may delete them soon. */
export const quotedPhotoCopyQueue: QueueDefinition<{ quote_id: string; urls: string[] }> = {
  name: 'copy-quoted-photos',
  retries: 10,
  retryDelay: 1,
  payload: z.object({ quote_id: z.uuid(), urls: z.array(z.string()) }),
};

/**
 * Stores a quote of the reported listing, person or message in a case, queues the copying of its photos and returns the
 * id of the quote.
 */
export type QuoteRecorder = (tx: Queryable, caseId: string, quoted: QuotedSubject) => Promise<string>;

export const createQuoteRecorder =
  ({ clock, jobs }: { clock: Clock; jobs: Pick<JobQueue, 'enqueue'> }): QuoteRecorder =>
  async (tx, caseId, quoted) => {
    const { id, isNew } = await saveQuote(tx, { caseId, quoted, now: clock.now() });
    if (isNew && quoted.photos.length > 0)
      await jobs.enqueue(tx, quotedPhotoCopyQueue, { quote_id: id, urls: quoted.photos });
    return id;
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

interface QuotedPhotoDeps {
  sql: Sql;
  files: Pick<FileStore, 'put' | 'read' | 'delete'>;
  /** Reads the original file of a photo. Returns undefined when it was deleted. */
  readPhoto(url: string): Promise<Uint8Array | undefined>;
}

/** Creates the service for the copies of quoted photos. */
export const createQuotedPhotoService = ({ sql, files, readPhoto }: QuotedPhotoDeps) => ({
  /**
   * Opens the copy of a quoted photo, or returns undefined when there is none. Throws own_case when the case is about
   * the person who opens the photo.
   */
  find: async (userId: string, quoteId: string, index: number): Promise<StoredFile | undefined> => {
    const quote = await findQuote(sql, quoteId);
    if (!quote) return undefined;
    if (isOwnCase(quote, { userId })) throw createProblem('own_case');
    return index < quote.photo_count ? files.read(toQuotedPhotoKey(quoteId, index)) : undefined;
  },

  /** Copies the photos of a quote. Skips photos that their owner has deleted in the meantime. */
  copy: async ({ quote_id: quoteId, urls }: { quote_id: string; urls: string[] }): Promise<void> => {
    for (const [index, url] of urls.entries()) {
      const bytes = await readPhoto(url);
      if (bytes) await files.put(toQuotedPhotoKey(quoteId, index), bytes, { contentType: 'image/jpeg' });
    }
  },

  remove: async ({ keys }: { keys: string[] }): Promise<void> => {
    for (const key of keys) await files.delete(key);
  },
});

export type QuotedPhotoService = ReturnType<typeof createQuotedPhotoService>;

/** Creates the job that deletes copies older than a day whose quote does not exist. */
export const createQuotedPhotoOrphanJob =
  ({ sql, files, clock }: { sql: Sql; files: Pick<FileStore, 'list' | 'delete'>; clock: Clock }) =>
  (): Promise<void> =>
    deleteUnreferencedFiles({
      files,
      clock,
      folder: quotedPhotoFolder,
      toReference: (key) => key.split('/')[1] ?? '',
      listKnown: (ids) => listExistingQuoteIds(sql, ids),
    });
