import { toCampusDay } from '#contract/campus.ts';
import type { Message } from '#contract/conversations.ts';
import { createFieldProblem, createProblem } from '#contract/errors.ts';
import { photoErrorMessages } from '#contract/photos.ts';
import {
  type AddRentalPhotosBody,
  listOpenPhotoSteps,
  listRemovablePhotoSteps,
  maxRentalPhotosPerStep,
  type RentalPhoto,
  rentalPhotoMessageTexts,
} from '#contract/rental-photos.ts';
import type { App } from '#server/app.ts';
import { sendMessage, unsendMessage } from '#server/features/conversations/public.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { getDeal } from './read-deals.ts';
import * as repository from './rental-photo-repository.ts';

const toToday = ({ clock, config }: App): string => toCampusDay(config.campus, clock.now());

/** Throws rental_photos_kept if a message has photos of the item's condition whose step is over: they are evidence. */
export const assertRentalPhotosRemovable = async (
  app: App,
  tx: Queryable,
  messageId: string,
): Promise<void> => {
  const found = await repository.findRentalOfMessage(tx, messageId);
  if (found && !listRemovablePhotoSteps(found, toToday(app)).includes(found.step))
    throw createProblem('rental_photos_kept');
};

/** Lists the photos of the item's condition in a person's rental, oldest first. Throws deal_not_found for other people. */
export const listRentalPhotos = async (app: App, userId: string, id: string): Promise<RentalPhoto[]> => {
  const deal = await getDeal(app, userId, id);
  return repository.listPhotos(app.sql, deal.id);
};

/**
 * Sends photos of the item's condition to the other party of a rental, or returns the message that was stored under this
 * client id. Throws rental_photos_closed, and a field error when the person has too many photos of this step.
 */
export const addRentalPhotos = async (
  app: App,
  userId: string,
  id: string,
  { client_id: clientId, step, photos, seen_seq: seenSeq }: AddRentalPhotosBody,
): Promise<Message> => {
  const deal = await getDeal(app, userId, id);
  return sendMessage(app, {
    id: deal.conversation_id,
    userId,
    clientId,
    text: rentalPhotoMessageTexts[step],
    photos,
    seenSeq,
    // Not earlier: a repeated call must succeed although the step has ended since.
    onStored: async (tx, { id: messageId }) => {
      const count = await repository.assignPhotos(tx, { dealId: id, step, messageId, userId });
      // Read here, with the conversation locked: the other party may have ended the step since the first read.
      const rental = await repository.findRentalOfMessage(tx, messageId);
      if (!rental || !listOpenPhotoSteps(rental, toToday(app)).includes(step))
        throw createProblem('rental_photos_closed');
      if (count > maxRentalPhotosPerStep) throw createFieldProblem({ photos: photoErrorMessages.tooMany });
    },
  });
};

/** Unsends a person's message with photos of the item's condition. Throws rental_photos_kept when its step is over. */
export const removeRentalPhotos = async (
  app: App,
  userId: string,
  id: string,
  messageId: string,
): Promise<Message> => {
  const deal = await getDeal(app, userId, id, 'message_not_found');
  // A message that was unsent before has no photos any more.
  const found = await repository.findRentalOfMessage(app.sql, messageId);
  const isAnyAge = found?.deal_id === deal.id;
  return unsendMessage(app, { id: deal.conversation_id, userId, messageId, isAnyAge });
};
