import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { links } from '#web/lib/links.ts';
import { createUuid } from '#web/lib/uuid.ts';
import { type ConversationLinkState, wasOpenedFromList } from './link-state.ts';

/**
 * On screens with one pane: if the tab's first page is a thread (for example, opened from an email),
 * inserts the list before it in the history, so that Back leads to the list instead of out of the app.
 */
export const useInboxHistoryEntry = (openId: string | undefined, twoPanes: boolean): void => {
  const { state } = useLocation();
  const navigate = useNavigate();
  const isFromList = wasOpenedFromList(state);
  useEffect(() => {
    // React Router stores the position of each history entry in `idx`.
    const isFirstEntry = (window.history.state as { idx?: number } | null)?.idx === 0;
    if (twoPanes || !openId || isFromList || !isFirstEntry) return;
    window.history.replaceState({ idx: 0, key: createUuid() }, '', links.messages);
    void navigate(links.conversation(openId), {
      state: { chosen: false, fromList: true } satisfies ConversationLinkState,
    });
  }, [openId, twoPanes, isFromList, navigate]);
};
