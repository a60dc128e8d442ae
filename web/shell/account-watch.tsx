import { useEffect } from 'react';
import { messagingSentences } from '#contract/conversations.ts';
import { displayName } from '#contract/profiles.ts';
import { onSendFailed, resumeOutbox, useUnreadTotal } from '#web/conversations/public.ts';
import { ApiError } from '#web/lib/api.ts';
import { useOwnProfile } from '#web/profiles/public.ts';
import { toast } from '#web/ui/toast.ts';
import { forgetSearches } from './recent-searches.ts';
import { useTitleCount } from './title-count.ts';

/** What the shell shows about the signed-in person. */
export interface AccountEvents {
  name?: string | undefined;
  avatarUrl?: string | null | undefined;
  unreadCount: number;
}

/** A message may fail when its conversation is no longer on screen, so the failure is shown on any screen. */
const sayNotSent = (reason: unknown): void => {
  const limited = reason instanceof ApiError && reason.code === 'rate_limited';
  toast.error(messagingSentences.send, limited ? reason.message : undefined);
};

/**
 * Loads the signed-in person's profile and unread count and reports them, and sends queued messages even after the person
 * has left the conversation. Renders nothing. It is loaded only with a session, since its dependencies would add to
 * every public page.
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
  // On a shared computer the next person must not see these searches.
  useEffect(() => forgetSearches, []);
  return null;
}
