import { z } from 'zod';
import { maxBlockedPeople } from './paging.ts';
import { publicUserSchema } from './profiles.ts';
import { idSchema, instantSchema } from './text.ts';

/** A person whom the caller has blocked, and when. */
export const blockedPersonSchema = z.object({ user: publicUserSchema, blocked_at: instantSchema });

/** Query of GET /rest/v1/me/blocks; `cursor` is the `next_cursor` of the previous page. */
export const blockedPeopleQuerySchema = z.object({ cursor: z.string().max(200).optional() });

/** One page of the people whom the caller has blocked, most recently blocked first. */
export const blockedPeoplePageSchema = z.object({
  items: z.array(blockedPersonSchema),
  next_cursor: z.string().nullable(),
});
export type BlockedPeoplePage = z.infer<typeof blockedPeoplePageSchema>;

/** The ids of all people whom the caller blocked. */
export const blockedUserIdsSchema = z.object({ user_ids: z.array(idSchema).max(maxBlockedPeople) });
