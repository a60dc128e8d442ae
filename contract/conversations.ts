import { z } from 'zod';
import { awayUntilSchema } from './away-schema.ts';
import { categories } from './categories.ts';
import { dealPartySchema, eventLineSchema } from './deal-event-lines.ts';
import { dealKinds, openDealStates } from './deal-states.ts';
import { formatWaitingTime } from './limit-messages.ts';
import { photoSchema } from './photo-schema.ts';
import { type MessagePhotoWidth, maxPhotosPerMessage, photoErrorMessages } from './photos.ts';
import { ratedUserSchema } from './profiles.ts';
import { rentalTimeFields } from './rental-times.ts';
import { rentalPeriods, saleOutcomes, unavailableReasons } from './selling.ts';
import { createParagraphSchema, idSchema, instantSchema } from './text.ts';

/** Minimum and maximum length of a message in characters. */
export const messageLength = { min: 1, max: 2000 } as const;

/**
 * For this many days after its sign-up, an account counts as new. The other party of a conversation sees that
 * an account is new.
 */
export const newAccountDays = 7;

/** Number of conversations that the inbox shows per page. */
export const inboxPageSize = 50;
/** Maximum number of characters of the last message that the inbox shows for a conversation. */
export const lastMessagePreviewLength = 200;

/** How lately a person was active: today, or within the last days of this number. Exact times are not told. */
export const activeThisWeekDays = 7;
export const activityLevels = ['today', 'week'] as const;
export type ActivityLevel = (typeof activityLevels)[number];

/** Returns the path of the screen of a conversation. */
export const buildConversationPath = (id: string): string => `/messages?c=${encodeURIComponent(id)}`;

export const messagingErrorMessages = {
  empty: 'Please enter a message',
  long: 'Message must be at most 2000 characters',
  signIn: 'Please login to send messages',
  loadOne: 'Failed to load conversation',
  loadAll: 'Failed to load conversations',
  send: 'Failed to send message',
} as const;

/**
 * Returns the error message for a person who has started too many conversations and has to wait `seconds`
 * before the next one.
 */
export const formatTooManyConversationsMessage = (seconds: number): string =>
  `You've started a lot of conversations. You can start another one in ${formatWaitingTime(seconds)}.`;

/**
 * Returns the error message for a person who has sent nearly the same message to too many people and has to
 * wait `seconds` before sending it to somebody else.
 */
export const formatTooManySimilarMessagesMessage = (seconds: number): string =>
  `You've sent nearly the same message to many people. You can send it to somebody else in ${formatWaitingTime(seconds)}.`;

export const messageTextSchema = createParagraphSchema({
  required: messagingErrorMessages.empty,
  min: { length: messageLength.min, sentence: messagingErrorMessages.empty },
  max: { length: messageLength.max, sentence: messagingErrorMessages.long },
});

/** The text of a message that has photos and no caption. */
export const photoMessageText = 'Photo';

/** The text of a message that its author has unsent. */
export const unsentMessageText = 'Message unsent';

/** For this many seconds after it was sent, its author can unsend a message. */
export const unsendSeconds = 10 * 60;

/** The caption of photos, which may be empty. */
const captionSchema = createParagraphSchema({
  required: messagingErrorMessages.empty,
  min: { length: 0, sentence: messagingErrorMessages.empty },
  max: { length: messageLength.max, sentence: messagingErrorMessages.long },
});

/** A photo of a message: its size in pixels and a placeholder. `buildMessagePhotoPath` returns where it is. */
export const messagePhotoSchema = photoSchema.omit({ url: true }).extend({ id: idSchema });
export type MessagePhoto = z.infer<typeof messagePhotoSchema>;

/** Returns the path of a photo of a message, which the parties of the conversation can read with their sessions. */
export const buildMessagePhotoPath = (
  conversationId: string,
  photoId: string,
  size?: MessagePhotoWidth,
): string =>
  `/rest/v1/conversations/${conversationId}/photos/${photoId}${size === undefined ? '' : `?size=${size}`}`;

export const messageKinds = ['text', 'deal', 'system'] as const;
export type MessageKind = (typeof messageKinds)[number];

/** The beginning of a message that another one replies to. */
export const quotedMessageSchema = z.object({
  id: idSchema,
  seq: z.int(),
  sender_id: idSchema.nullable(),
  /** The text, truncated to 200 characters. */
  message_text: z.string(),
  has_photos: z.boolean(),
  /** The id of its first photo. Null without one, and absent in responses of earlier versions. */
  photo_id: idSchema.nullish(),
  is_unsent: z.boolean(),
});
export type QuotedMessage = z.infer<typeof quotedMessageSchema>;

export const messageSchema = z.object({
  id: idSchema,
  conversation_id: idSchema,
  /** Number of the message in its conversation: 1, 2, 3, … without gaps. */
  seq: z.int(),
  /**
   * Id of the sender. Null when that account has been deleted, and for event lines, which the server adds.
   */
  sender_id: idSchema.nullable(),
  /**
   * Idempotency key chosen by the sender: a message that is sent again with the same key is stored only once.
   */
  client_id: idSchema,
  /** The text of the message. An event line has a sentence that is worded for both parties. */
  message_text: z.string(),
  /**
   * The photos of the message, whose text is then their caption, or `Photo` when they have none. Absent in messages
   * without photos, in responses of earlier versions, and after the account of the sender has been deleted.
   */
  photos: z.array(messagePhotoSchema).optional().catch(undefined),
  /** The message that this one replies to. Absent in other messages, and in responses of earlier versions. */
  reply_to: quotedMessageSchema.optional().catch(undefined),
  /**
   * Present if the message was unsent: it was the n-th of its conversation. Its text is then `Message unsent`, and it has no
   * photos.
   */
  unsent_number: z.int().min(1).optional().catch(undefined),
  created_at: instantSchema,
  /**
   * Messages of the kinds `deal` and `system` are event lines: the server adds them to record a transition of a
   * deal, a change to its listing, or a sale that the buyer can confirm. A `system` line has no sender. Older
   * servers send no kind; their messages count as `text`.
   */
  kind: z.enum(messageKinds).catch('text'),
  /**
   * The event that an event line records; null in other messages, and in event lines whose format this
   * version does not know.
   */
  data: eventLineSchema.nullable().catch(null),
});
export type Message = z.infer<typeof messageSchema>;

/**
 * The listing that a conversation is about. When the listing is not available, `category`, `price` and `cover` are null.
 * `slug` is then null, too, unless its page still exists.
 */
export const conversationListingSchema = z.object({
  title: z.string(),
  /** False when the listing has been sold, unpublished or deleted, or cannot be had now, except while its seller is away. */
  available: z.boolean(),
  unavailable: z.enum(unavailableReasons).nullable(),
  /** The first day on which a seller who is away is back. */
  away_until: awayUntilSchema,
  /** How a listing left the site (sold, given away or rented), or null while it is still offered. */
  outcome: z.enum(saleOutcomes).nullable(),
  /**
   * Whether to ask the caller to confirm that they got the item, because the owner has named them as the
   * recipient.
   */
  is_sale_asked: z.boolean(),
  slug: z.string().nullable(),
  /** Null when the listing is not available. */
  category: z.enum(categories).nullable(),
  price: z.number().nullable(),
  /** The period that a rental's price is for, such as a week. Null for other listings. */
  rental_period: z.enum(rentalPeriods).nullable(),
  /** The first photo of the listing. */
  cover: photoSchema.nullable(),
});

/** What a row of the inbox shows of the newest open deal of its conversation. */
const conversationDealSchema = z.object({
  kind: z.enum(dealKinds),
  state: z.enum(openDealStates),
  /** The party that has to answer the offer. */
  turn: dealPartySchema.nullable(),
  price: z.number().nullable(),
  last_day: z.iso.date().nullable(),
  return_time: rentalTimeFields.return_time,
  /** Whether the offer has to wait because the listing is on hold for somebody else or its draw is still open. */
  waiting: z.boolean(),
  /** The agreed time of the handover. */
  handover_at: instantSchema.nullable(),
  /** The party whose suggestion of times has not been answered. */
  handover_proposed_by: dealPartySchema.nullable(),
});
export type ConversationDeal = z.infer<typeof conversationDealSchema>;

export const conversationSchema = z.object({
  id: idSchema,
  listing_id: idSchema.nullable(),
  buyer_id: idSchema.nullable(),
  seller_id: idSchema.nullable(),
  updated_at: instantSchema,
  listing: conversationListingSchema,
  /**
   * The other party of the conversation, or null after their account was deleted (displayed as 'Deleted
   * user').
   */
  other: ratedUserSchema
    .extend({
      /** Whether the account is less than a week old. */
      is_new_account: z.boolean(),
      /** How lately the person was active. Missing unless both parties share it. */
      active: z.enum(activityLevels).optional(),
    })
    .nullable(),
  /** The newest message of the conversation; its text is truncated to 200 characters. */
  last_message: messageSchema
    .pick({ seq: true, sender_id: true, message_text: true, created_at: true, kind: true, data: true })
    .nullable(),
  unread_count: z.int(),
  /**
   * The seq up to which the other party has read. Null when one of the parties has switched that off, or when they may not
   * contact each other.
   */
  other_read_seq: z.int().nullable(),
  /** The newest open deal, or null when there is none. */
  deal: conversationDealSchema.nullable(),
  /**
   * Whether the parties may write to each other. False when a party is suspended or has blocked the other,
   * unless one of them is currently renting an item from the other.
   */
  may_write: z.boolean(),
  /** Whether the caller has archived the conversation, until its next message. False while a deal waits for the caller. */
  archived: z.boolean(),
  /** Until when the caller has muted the conversation, or null. */
  muted_until: instantSchema.nullable(),
});
export type Conversation = z.infer<typeof conversationSchema>;

/** A conversation of the inbox. In the response to a search, it has the newest messages that were found, newest first. */
const listedConversationSchema = conversationSchema.extend({
  found: z
    .array(messageSchema.pick({ seq: true, sender_id: true, message_text: true, created_at: true }))
    .optional(),
});
export type ListedConversation = z.infer<typeof listedConversationSchema>;

export const conversationLookupSchema = z.object({ conversation: conversationSchema.nullable() });

/** One page of the caller's conversations, most recently active first. */
export const inboxSchema = z.object({
  items: z.array(listedConversationSchema),
  next_cursor: z.string().nullable(),
});
export type Inbox = z.infer<typeof inboxSchema>;

export const openConversationSchema = z.object({ listing_id: idSchema });

const newMessageSchema = z.object({
  client_id: idSchema,
  /** The text; for a message with photos their caption, which may be missing. */
  message_text: captionSchema.optional(),
  /** Ids of photos that the sender has uploaded to the bucket `message-photos` and not sent yet. */
  photos: z.array(idSchema).max(maxPhotosPerMessage, photoErrorMessages.tooMany).optional(),
  /** Id of the message in the same conversation that this one replies to. Event lines have no replies. */
  reply_to: idSchema.optional(),
  /**
   * The seq up to which the sender had seen all messages when writing this one, which may have waited for a
   * connection. Later messages of the other party stay unread. Without it, all earlier messages become read.
   */
  seen_seq: z.int().min(0).optional(),
});
export const sendMessageSchema = newMessageSchema.refine(
  ({ message_text: text, photos = [] }) => text || photos.length > 0,
  { path: ['message_text'], error: messagingErrorMessages.empty },
);

/**
 * Query of the message list. `after_seq` selects the messages after this `seq` number (to catch up), and
 * `before_seq` selects those before it (to read older ones). Without both, the newest messages are returned.
 */
export const messageQuerySchema = z.object({
  after_seq: z.coerce.number().int().min(0).optional(),
  before_seq: z.coerce.number().int().min(1).optional(),
  /** The `unsent_count` up to which the client knows which messages were unsent. The response has the later ones. */
  after_unsent: z.coerce.number().int().min(0).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(50),
});
export type MessageQuery = z.infer<typeof messageQuerySchema>;

/**
 * A part of a conversation's messages, oldest first. `more` is true when there are further messages in the
 * direction that the query asked for.
 */
export const messageListSchema = z.object({
  items: z.array(messageSchema),
  more: z.boolean(),
  /** How many messages of the conversation were unsent by then. Absent in responses of earlier versions. */
  unsent_count: z.int().optional(),
  /** The messages that were unsent after `after_unsent`, in this order; only if the query has it. */
  unsent: z.array(messageSchema).optional(),
});
export type MessageList = z.infer<typeof messageListSchema>;

/** Body of a request to the function `notify-seller-new-message` (specification §7). */
export const notifySellerSchema = z.object({
  conversationId: idSchema,
  listingId: idSchema.nullish(),
  sellerId: idSchema.nullish(),
  buyerId: idSchema.nullish(),
  firstMessage: z.string().max(10_000).nullish(),
});

/** Total number of messages that a person has not read, in all conversations. */
export const unreadTotalSchema = z.object({ unread_total: z.int() });

export const markReadSchema = z.object({ seq: z.int().min(0) });
export const unreadCountsSchema = z.object({
  conversation_id: idSchema,
  unread_count: z.int(),
  unread_total: z.int(),
});
