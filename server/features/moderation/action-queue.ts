import { z } from 'zod';
import type { QueueDefinition } from '#server/platform/jobs.ts';

/** Queue of moderators' actions. An action takes effect when it can no longer be undone. */
export const moderatorActionQueue: QueueDefinition<{ id: string }> = {
  name: 'apply-moderation-action',
  retries: 10,
  retryDelay: 2,
  payload: z.object({ id: z.uuid() }),
};
