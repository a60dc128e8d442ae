import { useEffect } from 'react';
import { messagingSentences } from '#contract/conversations.ts';
import { displayName } from '#contract/profiles.ts';
import { ApiError } from '#web/lib/api.ts';
import { onSendFailed } from '#web/lib/outbox.ts';
import { useOwnProfile } from '#web/lib/own-profile.ts';
import { resumeOutbox } from '#web/lib/sending.ts';
import { useUnreadTotal } from '#web/lib/unread.ts';
import { toast } from '#web/ui/toast.ts';
import { forgetSearches } from './recent-searches.ts';
import { useTitleCount } from './title-count.ts';

/** What the shell learns about the person who is signed in. */
export interface AccountEvents {
  name?: string | undefined;
  avatarUrl?: string | null | undefined;
  unreadCount: number;
}

/** A message may fail while its conversation is not on the screen any more: it is said wherever one is. */
const sayNotSent = (reason: unknown): void => {
  const limited = reason instanceof ApiError && reason.code === 'rate_limited';
  toast.error(messagingSentences.send, limited ? reason.message : undefined);
};

/**
 * Reads the signed-in person's profile and unread count and reports them, and sees to it that what they wrote is sent
 * even when they have moved on. It draws nothing: it is loaded only
 * where there is a session, since what it stands on would weigh on every public page.
 */
export function AccountWatch({ onNews }: { onNews: (news: AccountEvents) => void }) {
  const { profile } = useOwnProfile();
  const unreadCount = useUnreadTotal();
  useEffect(() => {
    onNews({
      unreadCount,
      ...(profile ? { name: displayName(profile), avatarUrl: profile.avatar_url } : {}),
    });
  }, [profile, unreadCount, onNews]);
  useTitleCount(unreadCount);
  useEffect(() => {
    resumeOutbox();
    return onSendFailed(sayNotSent);
  }, []);
  // On a shared computer the next person sees nothing of what this one looked for.
  useEffect(() => forgetSearches, []);
  return null;
}
