import { z } from 'zod';
import { messagePhotoSchema } from './conversations.ts';
import { addDays } from './days.ts';
import { dealPartySchema } from './deal-event-lines.ts';
import type { Deal } from './deals.ts';
import { maxPhotosPerMessage, photoErrorMessages } from './photos.ts';
import { idSchema, instantSchema } from './text.ts';

/** Maximum number of photos that each party can add at pick-up, and again at return. */
export const maxRentalPhotosPerStep = maxPhotosPerMessage;

/** The steps of a rental at which its parties can take photos of the item's condition, in their order. */
export const rentalPhotoSteps = ['pick_up', 'return'] as const;
export type RentalPhotoStep = (typeof rentalPhotoSteps)[number];

/** The headings of the photos of each step. */
export const rentalPhotoLabels: Record<RentalPhotoStep, string> = {
  pick_up: 'At pick-up',
  return: 'At return',
};

/** The texts of the messages that contain the photos. */
export const rentalPhotoMessageTexts: Record<RentalPhotoStep, string> = {
  pick_up: 'Photos at pick-up',
  return: 'Photos at return',
};

type RentalOfPhotos = Pick<Deal, 'kind' | 'state' | 'first_day'>;

/**
 * Returns the steps of a rental at which photos can be added on this day (YYYY-MM-DD, on the campus): pick-up
 * from the day before the first day until the day after it, or until the handover if that is later; return from then until
 * the rental is over.
 */
export const listOpenPhotoSteps = (
  { kind, state, first_day: first }: RentalOfPhotos,
  today: string,
): RentalPhotoStep[] => {
  if (kind !== 'rental' || first === null) return [];
  const isAwaited = (state === 'held' || state === 'handed_over') && today >= addDays(first, -1);
  const isJustOut = state === 'out' && today <= addDays(first, 1);
  return [
    ...(isAwaited || isJustOut ? (['pick_up'] as const) : []),
    ...(state === 'out' || state === 'back' ? (['return'] as const) : []),
  ];
};

/**
 * Returns the steps of a rental whose photos can be removed on this day (YYYY-MM-DD, on the campus): those at which photos
 * can be added, and those of a rental that was canceled, which is before the handover. Other photos are evidence.
 */
export const listRemovablePhotoSteps = (rental: RentalOfPhotos, today: string): RentalPhotoStep[] =>
  rental.state === 'cancelled' ? ['pick_up'] : listOpenPhotoSteps(rental, today);

export const rentalPhotoStepSchema = z.enum(rentalPhotoSteps);

/** Body of the call that adds photos of the item's condition to a rental, as a message to the other party. */
export const addRentalPhotosSchema = z.object({
  client_id: idSchema,
  step: rentalPhotoStepSchema,
  /** Ids of photos that the caller has uploaded to the bucket `message-photos` and not sent yet. */
  photos: z.array(idSchema).min(1).max(maxRentalPhotosPerStep, photoErrorMessages.tooMany),
  /** As in a message. */
  seen_seq: z.int().min(0).optional(),
});
export type AddRentalPhotosBody = z.infer<typeof addRentalPhotosSchema>;

/** A photo of the item's condition; its content is read like that of every photo of a message. */
export const rentalPhotoSchema = messagePhotoSchema.extend({
  step: rentalPhotoStepSchema,
  by: dealPartySchema,
  /** The message that contains the photo. */
  message_id: idSchema,
  created_at: instantSchema,
});
export type RentalPhoto = z.infer<typeof rentalPhotoSchema>;

export const rentalPhotoParamsSchema = z.object({ id: idSchema, message_id: idSchema });
