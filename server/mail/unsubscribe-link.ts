import { idSchema } from '#contract/text.ts';
import { decrypt, derivePurposeKey, encrypt } from '#server/platform/secrets.ts';

const keyPurpose = 'switching off mail about messages';

/** Path of unsubscribe links, followed by the token. */
export const unsubscribePath = '/unsubscribe';

/** Returns the URL that turns off emails about messages for one account. Its token is the account's id, encrypted under a
 * key for this purpose alone. So the token cannot be guessed or altered, does not reveal the account, grants nothing else,
 * needs no database row, and works as long as the account and the pepper exist.
 */
export const buildUnsubscribeUrl = ({
  publicUrl,
  pepper,
  userId,
}: {
  publicUrl: string;
  pepper: Buffer;
  userId: string;
}): string => `${publicUrl}${unsubscribePath}/${encrypt(derivePurposeKey(pepper, keyPurpose), userId)}`;

/** Decrypts the account id in a token; returns undefined when this server did not create the token. */
export const readUnsubscribeToken = (pepper: Buffer, token: string): string | undefined => {
  try {
    return idSchema.safeParse(decrypt(derivePurposeKey(pepper, keyPurpose), token)).data;
  } catch {
    return undefined;
  }
};
