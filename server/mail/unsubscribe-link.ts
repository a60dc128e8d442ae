import { z } from 'zod';
import { type NotificationKind, notificationKinds } from '#contract/notifications.ts';
import { idSchema } from '#contract/text.ts';
import { decrypt, derivePurposeKey, encrypt } from '#server/platform/secrets.ts';

const keyPurpose = 'switching off mail about messages';

/** Path of unsubscribe links, followed by the token. */
export const unsubscribePath = '/unsubscribe';

/**
 * Returns the URL that turns off emails of a kind for one account. Its token contains the kind and
 * the account's id, encrypted with a key used only for this purpose. The token therefore cannot be
 * guessed or altered, does not reveal the account, grants nothing else, needs no database row, and
 * works as long as the account and the pepper exist.
 */
export const buildUnsubscribeUrl = ({
  publicUrl,
  pepper,
  userId,
  kind,
}: {
  publicUrl: string;
  pepper: Buffer;
  userId: string;
  kind: NotificationKind;
}): string =>
  `${publicUrl}${unsubscribePath}/${encrypt(derivePurposeKey(pepper, keyPurpose), `${kind}:${userId}`)}`;

/**
 * The account and the kind of emails that an unsubscribe link switches off. Links created by earlier versions
 * have no kind; they switch off emails about messages and about deals.
 */
export interface UnsubscribeRequest {
  userId: string;
  kind?: NotificationKind | undefined;
}

const kindSchema = z.enum(notificationKinds).optional();

/** Decrypts the token of an unsubscribe link. Returns undefined when this server did not create the token. */
export const decryptUnsubscribeToken = (pepper: Buffer, token: string): UnsubscribeRequest | undefined => {
  try {
    const [id, kind] = decrypt(derivePurposeKey(pepper, keyPurpose), token).split(':').reverse();
    return { userId: idSchema.parse(id), kind: kindSchema.parse(kind) };
  } catch {
    return undefined;
  }
};
