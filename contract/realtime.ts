import { z } from 'zod';
import { categories } from './categories.ts';
import { unreadSchema, unreadTotalSchema } from './conversations.ts';
import { idSchema } from './text.ts';

/**
 * The client sends a heartbeat every 25 s (specification §9); the server closes a socket that sends nothing for two
 * heartbeats.
 */
export const heartbeatSeconds = 25;
export const socketTimeoutSeconds = 50;
/** Delays before reconnecting, in seconds; the last one repeats (specification §9). */
export const reconnectDelaysSeconds = [1, 2, 5, 10] as const;
/** The server closes a socket that joins no topic within this time, in seconds. */
export const joinTimeoutSeconds = 5;
export const maxFrameBytes = 64 * 1024;
export const socketPath = '/realtime/v1';

export const conversationTopic = (id: string): string => `conversation:${id}`;
export const userTopic = (id: string): string => `user:${id}`;

/** A frame of the Phoenix channel protocol, serializer v2: [join_ref, ref, topic, event, payload]. */
export const frameSchema = z.tuple([
  z.string().max(64).nullable(),
  z.string().max(64).nullable(),
  z.string().max(128),
  z.string().max(64),
  z.unknown(),
]);
export type Frame = z.infer<typeof frameSchema>;

/** Payload of `phx_join` for the topics `conversation:{id}` and `user:{id}`. */
export const joinSchema = z.object({
  access_token: z.string().max(8192),
  /** The newest `seq` that the client has; the server delivers the messages after it. */
  after_seq: z.int().min(0).optional(),
});

/** Payload of the client event `access_token`, which replaces the access token of a joined topic. */
export const renewTokenSchema = z.object({ access_token: z.string().max(8192) });

/** Reply to joining the user's own topic: the current unread total; later changes arrive as `unread` events. */
export const userJoinedSchema = unreadTotalSchema;

/** Server event `unread` on a user's topic. */
export const unreadEventSchema = unreadSchema;

/** A message on the bus that connects the server processes. It contains only ids and categories, never content. */
export const announcementSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('message'), conversation_id: idSchema, seq: z.int() }),
  z.object({ kind: z.literal('read'), conversation_id: idSchema, user_id: idSchema }),
  z.object({ kind: z.literal('sessions_ended'), user_id: idSchema, session_ids: z.array(idSchema) }),
  /** Invalidates the cached public pages that show these listings, these people or lists of these categories. */
  z.object({
    kind: z.literal('pages_changed'),
    listing_ids: z.array(idSchema),
    user_ids: z.array(idSchema),
    categories: z.array(z.enum(categories)),
  }),
]);
export type Announcement = z.infer<typeof announcementSchema>;
