import { idSchema } from '#contract/text.ts';
import { decrypt, derivePurposeKey, encrypt } from '#server/platform/secrets.ts';

const purpose = 'switching off mail about messages';

/** Path of unsubscribe links, followed by the token. */
export const unsubscribePath = '/unsubscribe';

/**
 * Returns the URL that switches off one account's emails about messages. Its token is the account's id, encrypted under
 * a key for this purpose alone: it cannot be guessed or altered, does not reveal the account, grants nothing else,
 * needs no row, and works as long as the account and the pepper exist.
 */
export const unsubscribeUrl = ({
  publicUrl,
  pepper,
  userId,
}: {
  publicUrl: string;
  pepper: Buffer;
  userId: string;
}): string => `${publicUrl}${unsubscribePath}/${encrypt(derivePurposeKey(pepper, purpose), userId)}`;

/** Returns the account id of a token; undefined when the token is not ours. */
export const readUnsubscribeToken = (pepper: Buffer, token: string): string | undefined => {
  try {
    return idSchema.safeParse(decrypt(derivePurposeKey(pepper, purpose), token)).data;
  } catch {
    return undefined;
  }
};
