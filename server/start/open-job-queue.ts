import { dealSettlingQueue } from '#server/features/deals/public.ts';
import { resumeFileRemovalQueue } from '#server/features/forms/public.ts';
import { listingRemovalQueue } from '#server/features/listings/public.ts';
import {
  moderatorActionQueue,
  quotedPhotoCopyQueue,
  quotedPhotoRemovalQueue,
} from '#server/features/moderation/public.ts';
import { notificationQueue } from '#server/features/notifications/public.ts';
import { fileRemovalQueue } from '#server/features/photos/public.ts';
import { pushQueue } from '#server/features/push/public.ts';
import { listingMatchingQueue } from '#server/features/saved-searches/public.ts';
import { mailQueue } from '#server/mail/outbox.ts';
import { type JobQueue, startJobQueue } from '#server/platform/jobs.ts';
import type { Log } from '#server/platform/process/log.ts';

/** Starts pg-boss with every queue that the server uses. */
export const openServerJobQueue = (databaseUrl: string, log: Log): Promise<JobQueue> =>
  startJobQueue(
    databaseUrl,
    [
      mailQueue,
      notificationQueue,
      pushQueue,
      fileRemovalQueue,
      resumeFileRemovalQueue,
      listingRemovalQueue,
      dealSettlingQueue,
      listingMatchingQueue,
      quotedPhotoCopyQueue,
      moderatorActionQueue,
      quotedPhotoRemovalQueue,
    ],
    log,
  );
