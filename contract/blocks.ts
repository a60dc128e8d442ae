import { z } from 'zod';
import { maxBlocks } from './paging.ts';
import { publicUserSchema } from './profiles.ts';
import { idSchema, instantSchema } from './text.ts';

/** A person whom the caller has blocked, and when. */
export const blockedPersonSchema = z.object({ user: publicUserSchema, blocked_at: instantSchema });

/** Query of GET /rest/v1/me/blocks; `cursor` is the `next_cursor` of the previous page. */
export const blockQuerySchema = z.object({ cursor: z.string().max(200).optional() });

/** A page of the people whom the caller blocked, the latest first. */
export const blockPageSchema = z.object({
  items: z.array(blockedPersonSchema),
  next_cursor: z.string().nullable(),
});
export type BlockPage = z.infer<typeof blockPageSchema>;

/** The ids of all people whom the caller blocked. */
export const blockedIdsSchema = z.object({ user_ids: z.array(idSchema).max(maxBlocks) });
