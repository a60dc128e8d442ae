import { useEffect, useMemo } from 'react';
import { getDisplayName } from '#contract/profiles.ts';
import { hideListingsOfBlockedPeople } from '#web/blocks/public.ts';
import { useConversationUpdates } from '#web/conversations/public.ts';
import { mergeVisitorSaves } from '#web/listings/public.ts';
import {
  applyNotificationEvent,
  markNotificationsRead,
  refreshNotifications,
  useUnreadNotifications,
} from '#web/notifications/public.ts';
import { useOwnProfile } from '#web/profiles/public.ts';
import { usePushUpdates } from '#web/push/public.ts';
import { refreshDealReviews } from '#web/reviews/public.ts';
import { useUnreadCountInTitle } from './use-unread-count-in-title.ts';

/** The data about the signed-in person that header and navigation show. */
export interface AccountState {
  name?: string | undefined;
  avatarUrl?: string | null | undefined;
  /**
   * Whether the person may open the console, because they have the role of a moderator or an
   * administrator.
   */
  mayModerate?: boolean | undefined;
  unreadCount: number;
  notificationCount: number;
}

interface AccountStateLoaderProps {
  ownId: string;
  onChange: (state: AccountState) => void;
}

/**
 * Loads the signed-in person's profile and unread counts and passes them to `onChange`. Also keeps
 * the outbox running, so that queued messages are sent after the person has left the conversation.
 * Renders nothing. This component has its own script, which is loaded only for signed-in people, so
 * that public pages do not load its dependencies.
 */
export function AccountStateLoader({ ownId, onChange }: AccountStateLoaderProps) {
  const { profile } = useOwnProfile();
  const closeReadPushes = usePushUpdates(
    ownId,
    // If marking the notification as read fails, it stays unread. This needs no error message.
    (id) => void markNotificationsRead(ownId, [id]).catch(() => undefined),
  );
  const notificationUpdates = useMemo(
    () => ({
      on: {
        notification: (payload: unknown) => {
          applyNotificationEvent(ownId, payload);
          // The notification may say that the other party's review is published.
          refreshDealReviews(ownId);
          closeReadPushes();
        },
      },
      onUnread: closeReadPushes,
      onJoined: () => {
        refreshNotifications(ownId);
        refreshDealReviews(ownId);
        closeReadPushes();
      },
    }),
    [ownId, closeReadPushes],
  );
  const unreadCount = useConversationUpdates(ownId, notificationUpdates);
  const notificationCount = useUnreadNotifications(ownId);
  useEffect(() => {
    onChange({
      unreadCount,
      notificationCount,
      ...(profile
        ? {
            name: getDisplayName(profile),
            avatarUrl: profile.avatar_url,
            mayModerate: profile.console_role !== null,
          }
        : {}),
    });
  }, [profile, unreadCount, notificationCount, onChange]);
  useUnreadCountInTitle(unreadCount);
  useEffect(() => hideListingsOfBlockedPeople(ownId), [ownId]);
  useEffect(() => {
    void mergeVisitorSaves(ownId);
  }, [ownId]);
  return null;
}
