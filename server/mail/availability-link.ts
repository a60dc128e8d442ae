import { z } from 'zod';
import { type AvailabilityAnswer, availabilityAnswers } from '#contract/listings.ts';
import { idSchema } from '#contract/text.ts';
import { decrypt, derivePurposeKey, encrypt } from '#server/platform/secrets.ts';

const keyPurpose = 'answering whether a listing is available';

/** Path of the links in emails that ask whether a listing is still available, followed by the token and the answer. */
export const availabilityPath = '/availability';

/** A question about one listing; the time identifies it. */
export interface AvailabilityLink {
  userId: string;
  listingId: string;
  askedAt: Date;
}

/**
 * Returns the URL of a page where the owner of a listing can give an answer without logging in. Its token is the
 * encrypted question: it cannot be guessed or altered, grants nothing else, and needs no database row.
 */
export const buildAvailabilityUrl = (
  { userId, listingId, askedAt }: AvailabilityLink,
  answer: AvailabilityAnswer,
  { publicUrl, pepper }: { publicUrl: string; pepper: Buffer },
): string => {
  const question = `${userId}:${listingId}:${askedAt.getTime()}`;
  return `${publicUrl}${availabilityPath}/${encrypt(derivePurposeKey(pepper, keyPurpose), question)}/${answer}`;
};

const answerSchema = z.enum(availabilityAnswers);

/** Decrypts a link. Returns undefined when this server did not create the token, or the answer is unknown. */
export const decryptAvailabilityLink = (
  pepper: Buffer,
  { token, answer }: { token: string; answer: string },
): (AvailabilityLink & { answer: AvailabilityAnswer }) | undefined => {
  try {
    const [userId, listingId, askedAt] = decrypt(derivePurposeKey(pepper, keyPurpose), token).split(':');
    return {
      userId: idSchema.parse(userId),
      listingId: idSchema.parse(listingId),
      askedAt: new Date(Number(askedAt)),
      answer: answerSchema.parse(answer),
    };
  } catch {
    return undefined;
  }
};
