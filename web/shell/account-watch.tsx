import { useEffect } from 'react';
import { displayName } from '#contract/profiles.ts';
import { useConversationUpdates } from '#web/conversations/public.ts';
import { useOwnProfile } from '#web/profiles/public.ts';
import { clearRecentSearches } from './recent-searches.ts';
import { useTitleCount } from './title-count.ts';

/** The data about the signed-in person that header and navigation show. */
export interface AccountState {
  name?: string | undefined;
  avatarUrl?: string | null | undefined;
  unreadCount: number;
}

interface AccountWatchProps {
  ownId: string;
  onChange: (state: AccountState) => void;
}

/**
 * Loads the signed-in person's profile and unread count and passes them to `onChange`. Also keeps the outbox running, so
 * that queued messages are sent after the person has left the conversation. Renders nothing. Its script is loaded only
 * for signed-in people, since its dependencies would add to every public page.
 */
export function AccountWatch({ ownId, onChange }: AccountWatchProps) {
  const { profile } = useOwnProfile();
  const unreadCount = useConversationUpdates(ownId);
  useEffect(() => {
    onChange({
      unreadCount,
      ...(profile ? { name: displayName(profile), avatarUrl: profile.avatar_url } : {}),
    });
  }, [profile, unreadCount, onChange]);
  useTitleCount(unreadCount);
  // On a shared computer the next person must not see these searches.
  useEffect(() => clearRecentSearches, []);
  return null;
}
