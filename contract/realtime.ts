import { z } from 'zod';
import { categories } from './categories.ts';
import { unreadCountsSchema, unreadTotalSchema } from './conversations.ts';
import { unreadNotificationTotalSchema } from './notifications.ts';
import { idSchema } from './text.ts';

/**
 * The client sends a heartbeat every 25 s (specification §9). The server closes a socket that has sent
 * nothing for twice as long.
 */
export const heartbeatIntervalSeconds = 25;
export const socketTimeoutSeconds = 50;
/** Delays before reconnecting, in seconds; the last one repeats (specification §9). */
export const reconnectDelaysSeconds = [1, 2, 5, 10] as const;
/** The server closes a socket that joins no topic within this time, in seconds. */
export const joinTimeoutSeconds = 5;
/** A person can say at most once in this many seconds that they are typing; the server drops what comes more often. */
export const typingIntervalSeconds = 3;
/** "is typing" disappears this many seconds after the person last said so. */
export const typingDisplaySeconds = 6;
export const maxFrameBytes = 64 * 1024;
export const socketPath = '/realtime/v1';

export const toConversationTopic = (id: string): string => `conversation:${id}`;
export const toUserTopic = (id: string): string => `user:${id}`;

/** A frame of the Phoenix channel protocol, serializer v2: [join_ref, ref, topic, event, payload]. */
export const channelFrameSchema = z.tuple([
  z.string().max(64).nullable(),
  z.string().max(64).nullable(),
  z.string().max(128),
  z.string().max(64),
  z.unknown(),
]);
export type ChannelFrame = z.infer<typeof channelFrameSchema>;

/** Payload of `phx_join` for the topics `conversation:{id}` and `user:{id}`. */
export const joinTopicSchema = z.object({
  access_token: z.string().max(8192),
  /** The newest `seq` that the client has received. The server then delivers the messages after it. */
  after_seq: z.int().min(0).optional(),
  /** The `unsent_count` that the client has received. The server then delivers the messages that were unsent later. */
  after_unsent: z.int().min(0).optional(),
});

/** Payload of the client event `access_token`, which replaces the access token of a joined topic. */
export const renewTokenSchema = z.object({ access_token: z.string().max(8192) });

/**
 * Reply to joining the user's own topic. It contains the current unread total; later changes of it arrive as
 * `unread` events.
 */
export const userTopicReplySchema = unreadTotalSchema;

/**
 * Payload of the server event `unread` on a user's own topic. The server also sends this event when something
 * else changed in a conversation, such as its deal.
 */
export const unreadEventSchema = unreadCountsSchema;

/**
 * Payload of the server event `notification` on a user's own topic: the number of unread notifications. The
 * event is sent whenever a notification of the user changes.
 */
export const notificationEventSchema = unreadNotificationTotalSchema;

/**
 * Payload of the server event `seen` on the topic of a conversation: the seq up to which the other party has read. It is
 * sent only if both parties share what they have read.
 */
export const seenEventSchema = z.object({ seq: z.int() });

/**
 * Payload of the server event `typing` on the topic of a conversation: who is typing. The client event of the same name,
 * without a payload, says that oneself is. Its reply does not tell whether anybody learns of it.
 */
export const typingEventSchema = z.object({ user_id: idSchema });

/** A message on the bus that connects the server processes. It contains only ids and categories, never content. */
export const busMessageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('message'), conversation_id: idSchema, seq: z.int() }),
  /**
   * Something other than a new message changed in a conversation for one of its parties: the unread count,
   * the deal, or whether the party is asked if they got the item. The party receives an `unread` event. The
   * kind is still called `read`, because processes of the previous version on the same bus use this name.
   * `seen` says that the party has read further, so that the other one may receive a `seen` event.
   */
  z.object({
    kind: z.literal('read'),
    conversation_id: idSchema,
    user_id: idSchema,
    seen: z.boolean().optional(),
  }),
  /** A message was unsent. Listeners to the conversation receive an `unsent` event, its parties an `unread` event. */
  z.object({ kind: z.literal('unsent'), conversation_id: idSchema }),
  /** A party of a conversation is typing. */
  z.object({ kind: z.literal('typing'), conversation_id: idSchema, user_id: idSchema }),
  z.object({ kind: z.literal('sessions_ended'), user_id: idSchema, session_ids: z.array(idSchema) }),
  /**
   * Tells the server processes to invalidate the cached public pages that show one of these
   * listings, one of these people, or a list of listings in one of these categories.
   */
  z.object({
    kind: z.literal('pages_changed'),
    listing_ids: z.array(idSchema),
    user_ids: z.array(idSchema),
    categories: z.array(z.enum(categories)),
  }),
  /** The announcement at the top of all pages changed, so all cached pages are invalid. */
  z.object({ kind: z.literal('announcement_changed') }),
  /** Notifications of these users changed; each of the users receives a `notification` event. */
  z.object({ kind: z.literal('notified'), user_ids: z.array(idSchema) }),
]);
export type BusMessage = z.infer<typeof busMessageSchema>;
