import { z } from 'zod';
import { createStorableTextSchema, instantSchema } from './text.ts';

export const inboxTabs = ['all', 'buying', 'selling', 'unread'] as const;
export type InboxTab = (typeof inboxTabs)[number];

/** Maximum length of a text that is searched in conversations, in UTF-16 code units. */
export const maxInboxSearchLength = 200;
/** Maximum number of found messages that are listed for a conversation. */
export const maxFoundMessages = 3;

/**
 * Query of the inbox; `cursor` is the `next_cursor` of the previous page. A search (`q`) is for the names of other people,
 * titles of listings and words of messages. Without `archived`, a search finds archived conversations, too.
 */
export const inboxQuerySchema = z.object({
  tab: z.enum(inboxTabs).default('all'),
  q: createStorableTextSchema('Please search for something shorter', maxInboxSearchLength).optional(),
  archived: z.enum(['true', 'false']).optional(),
  cursor: z.string().max(200).optional(),
});
export type InboxQuery = z.infer<typeof inboxQuerySchema>;

/** The time until which a conversation is muted that the person mutes for good. */
export const mutedForGood = '9999-12-31T00:00:00.000Z';

/** What a party can change about a conversation for itself. `muted_until` is null to end a mute. */
export const conversationChangeSchema = z
  .object({
    archived: z.boolean(),
    // PostgreSQL has no year 0.
    muted_until: instantSchema.refine((instant) => !instant.startsWith('0000')).nullable(),
    unread: z.boolean(),
  })
  .partial();
export type ConversationChange = z.infer<typeof conversationChangeSchema>;
