import type { Conversation } from '#contract/conversations.ts';
import { deletedUserName } from '#contract/deleted-user.ts';

export interface OtherParty {
  name: string;
  avatarUrl: string | null;
  verified: boolean;
  /** The account was deleted. */
  gone: boolean;
}

/** Returns the other person of a conversation; a placeholder when their account was deleted. */
export const getOtherParty = ({ other }: Pick<Conversation, 'other'>): OtherParty =>
  other
    ? { name: other.name, avatarUrl: other.avatar_url, verified: other.usc_verified, gone: false }
    : { name: deletedUserName, avatarUrl: null, verified: false, gone: true };
