import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import type { Conversation, ListedConversation } from '#contract/conversations.ts';
import { type InboxTab, inboxTabs } from '#contract/inbox.ts';
import { links } from '#web/lib/links.ts';

/** What the inbox shows. The URL contains it, so that Back and a reload restore it. */
export interface InboxFilter {
  tab: InboxTab;
  q: string;
  archived: boolean;
}

/** Returns whether the inbox shows everything that is not archived. */
export const isWholeInbox = ({ tab, q, archived }: InboxFilter): boolean =>
  tab === 'all' && q === '' && !archived;

/** Returns the filter as parameters of the URL and of the call, without those that have their default. */
export const toFilterParams = ({ tab, q, archived }: InboxFilter) => ({
  ...(tab === 'all' ? {} : { tab }),
  ...(q ? { q } : {}),
  ...(archived ? { archived: 'true' as const } : {}),
});

/** Returns the path of a filtered list, optionally with an open conversation, at one of its messages. */
export const buildInboxPath = (
  filter: InboxFilter,
  open?: { id: string; seq?: number | undefined },
): string => {
  const params = new URLSearchParams({
    ...(open && { c: open.id }),
    ...(open?.seq !== undefined && { m: String(open.seq) }),
    ...toFilterParams(filter),
  });
  return params.size > 0 ? `${links.messages}?${params}` : links.messages;
};

/** Returns whether a conversation is in a tab. */
export const isInTab = (tab: InboxTab, ownId: string, conversation: Conversation): boolean =>
  ({
    all: true,
    buying: conversation.buyer_id === ownId,
    selling: conversation.seller_id === ownId,
    unread: conversation.unread_count > 0,
  })[tab];

/** Returns whether a filter leaves a conversation, which may have changed since it was loaded. */
export const matchesFilter = (
  { tab, q, archived }: InboxFilter,
  ownId: string,
  conversation: ListedConversation,
): boolean =>
  isInTab(tab, ownId, conversation) &&
  (!archived || conversation.archived) &&
  (q === '' || conversation.found !== undefined);

/** Returns the filter in the URL, and a function that changes it. */
export const useInboxFilter = (): [InboxFilter, (changes: Partial<InboxFilter>) => void] => {
  const [params, setParams] = useSearchParams();
  const tab = inboxTabs.find((name) => name === params.get('tab')) ?? 'all';
  const q = params.get('q')?.trim() ?? '';
  const archived = params.get('archived') === 'true';
  const filter = useMemo(() => ({ tab, q, archived }), [tab, q, archived]);
  const change = useCallback(
    (changes: Partial<InboxFilter>) =>
      setParams(
        (current) => {
          const next = new URLSearchParams(current);
          for (const name of ['tab', 'q', 'archived']) next.delete(name);
          for (const [name, value] of Object.entries(toFilterParams({ ...filter, ...changes })))
            next.set(name, value);
          return next;
        },
        { replace: true, preventScrollReset: true },
      ),
    [setParams, filter],
  );
  return [filter, change];
};
