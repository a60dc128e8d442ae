import { idSchema } from '#contract/text.ts';
import { decrypt, derivePurposeKey, encrypt } from '#server/platform/secrets.ts';

const keyPurpose = 'confirming a membership';

/** Path of the links in emails that confirm the membership of the campus, followed by the token. */
export const membershipPath = '/membership';

/** The person who is asked to confirm the membership, the campus address that was asked, and when. */
export interface MembershipLink {
  userId: string;
  email: string;
  askedAt: Date;
}

/**
 * Returns the token of a link with which the owner of a campus address confirms the membership without logging in. It is
 * encrypted, so it cannot be guessed or altered, grants nothing else, and needs no database row.
 */
export const createMembershipToken = (pepper: Buffer, { userId, email, askedAt }: MembershipLink): string =>
  encrypt(derivePurposeKey(pepper, keyPurpose), `${userId}:${askedAt.getTime()}:${email}`);

/** Decrypts the token of a link. Returns undefined when this server did not create it. */
export const decryptMembershipToken = (pepper: Buffer, token: string): MembershipLink | undefined => {
  try {
    const [userId, askedAt, ...email] = decrypt(derivePurposeKey(pepper, keyPurpose), token).split(':');
    return {
      userId: idSchema.parse(userId),
      email: email.join(':'),
      askedAt: new Date(Number(askedAt)),
    };
  } catch {
    return undefined;
  }
};
