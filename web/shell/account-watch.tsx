import { useEffect } from 'react';
import { displayName } from '#contract/profiles.ts';
import { useOwnProfile } from '#web/lib/own-profile.ts';
import { useUnreadTotal } from '#web/lib/unread.ts';
import { forgetSearches } from './recent-searches.ts';

/** What the shell learns about the person who is signed in. */
export interface AccountNews {
  name?: string | undefined;
  avatarUrl?: string | null | undefined;
  unreadCount: number;
}

/**
 * Reads the signed-in person's profile and unread count and reports them. It draws nothing: it is loaded only
 * where there is a session, since what it stands on would weigh on every public page.
 */
export function AccountWatch({ onNews }: { onNews: (news: AccountNews) => void }) {
  const { profile } = useOwnProfile();
  const unreadCount = useUnreadTotal();
  useEffect(() => {
    onNews({
      unreadCount,
      ...(profile ? { name: displayName(profile), avatarUrl: profile.avatar_url } : {}),
    });
  }, [profile, unreadCount, onNews]);
  // On a shared computer the next person sees nothing of what this one looked for.
  useEffect(() => forgetSearches, []);
  return null;
}
