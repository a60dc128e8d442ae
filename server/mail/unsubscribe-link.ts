import { idSchema } from '#contract/text.ts';
import { purposeKey, seal, unseal } from '#server/platform/secrets.ts';

const purpose = 'switching off mail about messages';

/** Where the links of mails about messages lead, with the token behind it. */
export const unsubscribePath = '/unsubscribe';

/**
 * The address that switches one account's mail about messages off. Its token is the account's id, sealed under a key
 * of this purpose alone: it cannot be guessed or altered, tells nobody whose it is, opens nothing else, needs no row
 * and works as long as account and pepper exist.
 */
export const unsubscribeUrl = ({
  publicUrl,
  pepper,
  userId,
}: {
  publicUrl: string;
  pepper: Buffer;
  userId: string;
}): string => `${publicUrl}${unsubscribePath}/${seal(purposeKey(pepper, purpose), userId)}`;

/** Whose account a token is for; undefined for one that was not made here. */
export const readUnsubscribeToken = (pepper: Buffer, token: string): string | undefined => {
  try {
    return idSchema.safeParse(unseal(purposeKey(pepper, purpose), token)).data;
  } catch {
    return undefined;
  }
};
