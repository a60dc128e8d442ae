import type { z } from 'zod';
import { pushSubjectSchema } from '#contract/push.ts';
import { idSchema, instantSchema } from '#contract/text.ts';
import type { QueueDefinition } from '#server/platform/jobs.ts';

const pushJobSchema = pushSubjectSchema.extend({ subscription_id: idSchema, queued_at: instantSchema });
export type PushJob = z.infer<typeof pushJobSchema>;

/** Number of push notifications that one process sends to the same push service at the same time. */
const requestsPerService = 2;

/**
 * The queue of push notifications to send, with one job for each browser. The jobs for one push service are a
 * group.
 */
export const pushQueue: QueueDefinition<PushJob> = {
  name: 'push',
  // The first 8 retries take about an hour. One an hour follows until the push notification is a day old.
  retries: 8 + 24,
  retryDelay: 15,
  payload: pushJobSchema,
  concurrency: { jobs: 20, jobsPerGroup: requestsPerService },
};

/**
 * Returns the queue group of a push endpoint: its host name. The port is ignored, because an attacker could otherwise
 * get many groups by using many ports of one host.
 */
export const toPushQueueGroup = (endpoint: string): string => new URL(endpoint).hostname.replace(/\.$/, '');
