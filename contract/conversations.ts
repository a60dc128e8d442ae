import { z } from 'zod';
import { eventLineSchema } from './deal-lines.ts';
import { formatWait } from './limit-sentences.ts';
import { ratedUserSchema } from './profiles.ts';
import { rentalPeriods, saleOutcomes } from './selling.ts';
import { photoSchema } from './stored-photos.ts';
import { idSchema, instantSchema, paragraphSchema } from './text.ts';

/** Minimum and maximum length of a message in characters. */
export const messageLength = { min: 1, max: 2000 } as const;

/** Age in days up to which the other party of a conversation is told that an account is new. */
export const newAccountDays = 7;

/** Number of conversations on a page of the inbox. */
export const inboxPageSize = 50;
/** Maximum number of characters of the last message that the inbox shows for a conversation. */
export const lastMessagePreviewLength = 200;

export const messagingErrorMessages = {
  empty: 'Please enter a message',
  long: 'Message must be at most 2000 characters',
  signIn: 'Please login to send messages',
  loadOne: 'Failed to load conversation',
  loadAll: 'Failed to load conversations',
  send: 'Failed to send message',
} as const;

/**
 * Returns the error message for a person who has started too many conversations and may start the
 * next one in `seconds`.
 */
export const tooManyConversationsMessage = (seconds: number): string =>
  `You've started a lot of conversations. You can start another one in ${formatWait(seconds)}.`;

/**
 * Returns the error message for a person who has sent nearly the same message to too many people, and may send it to
 * somebody else in `seconds`.
 */
export const tooManySimilarMessagesMessage = (seconds: number): string =>
  `You've sent nearly the same message to many people. You can send it to somebody else in ${formatWait(seconds)}.`;

export const messageTextSchema = paragraphSchema({
  required: messagingErrorMessages.empty,
  min: { length: messageLength.min, sentence: messagingErrorMessages.empty },
  max: { length: messageLength.max, sentence: messagingErrorMessages.long },
});

export const messageKinds = ['text', 'deal', 'system'] as const;
export type MessageKind = (typeof messageKinds)[number];

export const messageSchema = z.object({
  id: idSchema,
  conversation_id: idSchema,
  /** Number of the message in its conversation: 1, 2, 3, … without gaps. */
  seq: z.int(),
  /** Null when the sender's account has been deleted, and for lines of the server. */
  sender_id: idSchema.nullable(),
  /**
   * Idempotency key chosen by the sender: sending a message again with the same key stores nothing.
   */
  client_id: idSchema,
  /** The text of the message; of an event line, a sentence that is worded for both parties. */
  message_text: z.string(),
  created_at: instantSchema,
  /**
   * `deal` and `system` messages are event lines, which record a step of a deal or a change to its
   * listing; nobody wrote a `system` line, so it has no sender. Messages of older servers have no kind.
   */
  kind: z.enum(messageKinds).catch('text'),
  /** What an event line records; null in other messages, and in event lines whose format this version does not know. */
  data: eventLineSchema.nullable().catch(null),
});
export type Message = z.infer<typeof messageSchema>;

/**
 * The listing of a conversation. When the listing is not available, `price` and `cover` are null,
 * and `slug` is null unless the page of a sold listing still exists.
 */
export const conversationListingSchema = z.object({
  title: z.string(),
  /** False when the listing has been sold, unpublished or deleted. */
  available: z.boolean(),
  /** The outcome of a listing that was sold or given away; null otherwise. */
  outcome: z.enum(saleOutcomes).nullable(),
  /** Whether to ask the reader if they got the listing. */
  is_sale_asked: z.boolean(),
  slug: z.string().nullable(),
  price: z.number().nullable(),
  /** The period of a rental's price; null for other listings. */
  rental_period: z.enum(rentalPeriods).nullable(),
  /** The first photo of the listing. */
  cover: photoSchema.nullable(),
});

export const conversationSchema = z.object({
  id: idSchema,
  listing_id: idSchema.nullable(),
  buyer_id: idSchema.nullable(),
  seller_id: idSchema.nullable(),
  updated_at: instantSchema,
  listing: conversationListingSchema,
  /** The other party; null after their account was deleted (displayed as 'Deleted user'). */
  other: ratedUserSchema
    .extend({
      /** Whether the account is less than a week old. Conversations of older servers do not say it. */
      is_new_account: z.boolean().catch(false),
    })
    .nullable(),
  /** The newest message; its text is truncated to 200 characters. */
  last_message: messageSchema
    .pick({ seq: true, sender_id: true, message_text: true, created_at: true, kind: true, data: true })
    .nullable(),
  unread_count: z.int(),
  /** False when one of the two is suspended or has blocked the other one, unless an item is rented out. */
  may_write: z.boolean(),
});
export type Conversation = z.infer<typeof conversationSchema>;

export const conversationLookupSchema = z.object({ conversation: conversationSchema.nullable() });

/** Query of the inbox; `cursor` is the `next_cursor` of the previous page. */
export const inboxQuerySchema = z.object({ cursor: z.string().max(200).optional() });

/** A page of a person's conversations, the most recently active first. */
export const inboxSchema = z.object({
  items: z.array(conversationSchema),
  next_cursor: z.string().nullable(),
});
export type Inbox = z.infer<typeof inboxSchema>;

export const openConversationSchema = z.object({ listing_id: idSchema });

export const sendMessageSchema = z.object({ client_id: idSchema, message_text: messageTextSchema });

/**
 * Query of the message list. It selects the messages after the `seq` number `after_seq` (to catch
 * up), the messages before `before_seq` (to read older ones), or by default the newest messages.
 */
export const messageQuerySchema = z.object({
  after_seq: z.coerce.number().int().min(0).optional(),
  before_seq: z.coerce.number().int().min(1).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(50),
});
export type MessageQuery = z.infer<typeof messageQuerySchema>;

/** Messages, oldest first; `more` is true when there are further messages in the requested direction. */
export const messageListSchema = z.object({ items: z.array(messageSchema), more: z.boolean() });
export type MessageList = z.infer<typeof messageListSchema>;

/** Body of `notify-seller-new-message` (specification §7). */
export const notifySellerSchema = z.object({
  conversationId: idSchema,
  listingId: idSchema.nullish(),
  sellerId: idSchema.nullish(),
  buyerId: idSchema.nullish(),
  firstMessage: z.string().max(10_000).nullish(),
});

/** Number of messages that a person has not read, in all conversations. */
export const unreadTotalSchema = z.object({ unread_total: z.int() });

export const readMarkSchema = z.object({ seq: z.int().min(0) });
export const unreadCountsSchema = z.object({
  conversation_id: idSchema,
  unread_count: z.int(),
  unread_total: z.int(),
});
