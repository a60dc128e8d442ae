import { clsx } from 'clsx';
import { type CSSProperties, useEffect, useRef } from 'react';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router';
import { links } from '#web/lib/links.ts';
import { useIsWideWindow } from '#web/lib/use-is-wide-window.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { NoMessagesIllustration } from '#web/ui/illustrations/empty-states.tsx';
import { useFocusAfterNavigation } from '#web/ui/page-heading.tsx';
import { ConnectionNotice } from './connection-notice.tsx';
import { ConversationList } from './conversation-list.tsx';
import { toConversationRowId } from './conversation-row.tsx';
import { buildInboxPath, isWholeInbox, useInboxFilter } from './inbox-filter.ts';
import { InboxToolbar } from './inbox-toolbar.tsx';
import { wasConversationClosed } from './link-state.ts';
import { OpenConversationPane } from './open-conversation.tsx';
import { useAnnouncementBannerHeight } from './use-announcement-banner-height.ts';
import { useHeightAboveKeyboard } from './use-height-above-keyboard.ts';
import { useInbox } from './use-inbox.ts';
import { useInboxHistoryEntry } from './use-inbox-history-entry.ts';

/**
 * Moves the focus when only one pane is visible: to the heading of a thread that was opened or, after going
 * back, to the thread's row in the list once the list is loaded. Returns a ref for the heading.
 */
const usePaneFocus = (openId: string | undefined, twoPanes: boolean, isListLoaded: boolean) => {
  const title = useRef<HTMLHeadingElement>(null);
  const before = useRef(openId);
  /**
   * The id of the thread that the person has just left. Its row in the list gets the focus once it is
   * loaded.
   */
  const awaited = useRef<string>(undefined);
  useEffect(() => {
    const left = before.current;
    before.current = openId;
    if (left !== openId) awaited.current = undefined;
    if (twoPanes || left === openId) return;
    if (openId) {
      window.scrollTo(0, 0);
      title.current?.focus({ preventScroll: true });
    } else awaited.current = left;
  }, [openId, twoPanes]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: openId changes what the effect above has stored
  useEffect(() => {
    if (!isListLoaded || !awaited.current) return;
    document.getElementById(toConversationRowId(awaited.current))?.focus();
    awaited.current = undefined;
  }, [openId, isListLoaded]);
  return title;
};

/**
 * The messages screen: the list of conversations next to the open conversation. Phones display only the list
 * or only the conversation.
 */
export function MessagesScreen({ ownId }: { ownId: string }) {
  const inbox = useInbox(ownId);
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const twoPanes = useIsWideWindow();
  const heading = useFocusAfterNavigation<HTMLHeadingElement>();
  const openId = search.get('c')?.toLowerCase();
  const target = search.get('m') ?? '';
  const items = inbox.data?.items;
  const [filter] = useInboxFilter();
  const isWhole = isWholeInbox(filter);
  const isClosed = wasConversationClosed(useLocation().state);
  const title = usePaneFocus(openId, twoPanes, items !== undefined);
  useInboxHistoryEntry(openId, twoPanes);
  const firstId = items?.[0]?.id;
  const bannerHeight = useAnnouncementBannerHeight();
  const visibleHeight = useHeightAboveKeyboard(openId !== undefined && !twoPanes);

  useEffect(() => {
    if (twoPanes && !openId && firstId && isWhole && !isClosed) {
      void navigate(links.conversation(firstId), { replace: true, preventScrollReset: true });
    }
  }, [twoPanes, openId, firstId, isWhole, isClosed, navigate]);

  const empty = items?.length === 0 && !openId && isWhole;
  return (
    <div className="page-gutters flex w-full flex-1 flex-col py-4 max-md:px-0 max-md:py-0 md:py-8">
      <h1
        ref={heading}
        tabIndex={-1}
        className={clsx(
          'font-extrabold text-2xl outline-none md:mb-4 md:text-3xl',
          openId ? 'max-md:sr-only' : 'max-md:mt-5 max-md:px-4',
        )}
      >
        Messages
      </h1>
      {/* On a phone, a toast may cover the title and this text, because a long list of conversations
          leaves no other place for it that is free of controls. */}
      {!openId && (
        <p className="mt-1.5 mb-6 px-4 text-ink-muted md:hidden">
          Your conversations with buyers and sellers
        </p>
      )}
      {empty ? (
        <EmptyState
          illustration={<NoMessagesIllustration />}
          title="No conversations yet"
          text="Ask a seller about something you like and your conversation appears here."
          action={
            <>
              <Button asChild>
                <Link to={links.browse}>Browse Listings</Link>
              </Button>
              <Button asChild variant="secondary">
                <Link to={buildInboxPath({ ...filter, archived: true })}>Archived conversations</Link>
              </Button>
            </>
          }
        />
      ) : (
        <div
          // On phones, an open thread covers the header and the navigation (app.css).
          data-task-screen={openId ? '' : undefined}
          style={
            {
              '--announcement': `${bannerHeight}px`,
              ...(visibleHeight && { '--window': `${visibleHeight}px` }),
            } as CSSProperties
          }
          className={clsx(
            'flex border-line bg-surface md:h-[calc(100dvh-15rem-var(--offline-bar,0rem)-var(--announcement))] md:min-h-104 md:overflow-hidden md:rounded-lg md:border md:shadow-sm',
            // On a phone, the list of conversations scrolls with the page, and an open thread fills the
            // window above the keyboard. In a short window, a thread with a deal has a minimum
            // height that keeps room for the messages, so the whole page scrolls.
            openId
              ? 'h-[calc(var(--window,100dvh)-var(--offline-bar,0rem)-var(--announcement))] min-h-[calc(24rem-64px)] overflow-hidden short:has-data-deal:min-h-120'
              : 'max-md:border-t',
          )}
        >
          <section
            aria-label="Conversations"
            className={clsx(
              'w-full flex-col border-line md:flex md:w-80 md:shrink-0 md:border-r lg:w-96',
              openId ? 'hidden' : 'flex',
            )}
          >
            {!openId && <ConnectionNotice />}
            <InboxToolbar />
            <div
              className={clsx(
                'min-h-0 flex-1 overscroll-contain',
                items ? 'md:overflow-y-auto' : 'md:overflow-hidden',
              )}
            >
              <ConversationList inbox={inbox} ownId={ownId} openId={openId} filter={filter} />
            </div>
          </section>
          <section
            aria-label="Conversation"
            className={clsx('min-w-0 flex-1 flex-col md:flex', openId ? 'flex' : 'hidden')}
          >
            <OpenConversationPane
              inbox={inbox}
              ownId={ownId}
              openId={openId}
              targetSeq={/^[1-9]\d{0,14}$/.test(target) ? Number(target) : undefined}
              title={title}
              twoPanes={twoPanes}
            />
          </section>
        </div>
      )}
    </div>
  );
}
