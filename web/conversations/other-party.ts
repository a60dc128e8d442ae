import type { ActivityLevel, Conversation } from '#contract/conversations.ts';
import { deletedUserName } from '#contract/deleted-user.ts';

export interface OtherParty {
  /** The user id of the other party, or null if their account was deleted. */
  id: string | null;
  name: string;
  avatarUrl: string | null;
  verified: boolean;
  rating: number | null;
  reviewCount: number;
  /** Whether the account is less than a week old. */
  isNew: boolean;
  /** How lately they were active, if both parties share it. */
  active: ActivityLevel | undefined;
  /** Whether the account was deleted. */
  gone: boolean;
}

/** Returns the other person in a conversation, or a placeholder if their account was deleted. */
export const getOtherParty = ({ other }: Pick<Conversation, 'other'>): OtherParty =>
  other
    ? {
        id: other.id,
        name: other.name,
        avatarUrl: other.avatar_url,
        verified: other.usc_verified,
        rating: other.rating,
        reviewCount: other.review_count,
        isNew: other.is_new_account,
        active: other.active,
        gone: false,
      }
    : {
        id: null,
        name: deletedUserName,
        avatarUrl: null,
        verified: false,
        rating: null,
        reviewCount: 0,
        isNew: false,
        active: undefined,
        gone: true,
      };
