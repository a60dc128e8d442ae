import { z } from 'zod';
import { quotedMessageSchema } from '#contract/conversations.ts';
import { rentalPhotoStepSchema } from '#contract/rental-photos.ts';

export const outgoingPhotoSchema = z.object({
  /** The id under which the file is stored on this device. */
  id: z.string(),
  /** The size in pixels. */
  width: z.number(),
  height: z.number(),
  /** The id of the photo on the server, once it is uploaded. */
  uploaded_id: z.string().optional(),
});
/** A photo that is not part of a stored message yet. */
export type OutgoingPhoto = z.infer<typeof outgoingPhotoSchema>;

export const rentalStepSchema = z.object({ deal_id: z.string(), step: rentalPhotoStepSchema });
/** The step of a rental at which the photos of a message show the item's condition. */
export type RentalStep = z.infer<typeof rentalStepSchema>;

const outgoingMessageSchema = z.object({
  client_id: z.string(),
  /** The text, or the caption of the photos, which may be empty. */
  message_text: z.string(),
  photos: z.array(outgoingPhotoSchema).optional(),
  rental: rentalStepSchema.optional(),
  /** The message that this one replies to. */
  reply_to: quotedMessageSchema.optional(),
  created_at: z.string(),
  /** The seq up to which its author had seen the thread; missing in messages that older versions have stored. */
  seen_seq: z.int().optional(),
  conversation: z.object({
    /** The conversation's id, or the result of `toNewConversationKey`. */
    id: z.string(),
    listing_id: z.string().nullable(),
    buyer_id: z.string().nullable(),
    seller_id: z.string().nullable(),
  }),
});
/**
 * An outgoing message. The server stores each client_id once, so a retry cannot create a duplicate.
 */
export type OutgoingMessage = z.infer<typeof outgoingMessageSchema>;

/** Validates stored messages. Returns undefined if one of them is unusable. */
export const parseOutgoingMessages = (stored: unknown): readonly OutgoingMessage[] | undefined =>
  z.array(outgoingMessageSchema).safeParse(stored).data;
