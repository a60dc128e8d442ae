import { clsx } from 'clsx';
import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { links } from '#web/lib/links.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { NoMessages } from '#web/ui/illustrations/empty-states.tsx';
import { useFocusAfterNavigation } from '#web/ui/page-heading.tsx';
import { ConnectionNotice } from './connection-notice.tsx';
import { ConversationList } from './conversation-list.tsx';
import { conversationRowId } from './conversation-row.tsx';
import { OpenConversation } from './open-conversation.tsx';
import { useInbox } from './use-inbox.ts';

const twoPanesMediaQuery = '(min-width: 48rem)';

const useHasTwoPanes = (): boolean => {
  const [matches, setMatches] = useState(() => window.matchMedia(twoPanesMediaQuery).matches);
  useEffect(() => {
    const query = window.matchMedia(twoPanesMediaQuery);
    const look = () => setMatches(query.matches);
    query.addEventListener('change', look);
    return () => query.removeEventListener('change', look);
  }, []);
  return matches;
};

/** If only one pane is visible, moves the focus into the opened thread, and back to its row in the list. */
const usePaneFocus = (openId: string | undefined, twoPanes: boolean) => {
  const title = useRef<HTMLHeadingElement>(null);
  const before = useRef(openId);
  useEffect(() => {
    const left = before.current;
    before.current = openId;
    if (twoPanes || left === openId) return;
    if (openId) {
      window.scrollTo(0, 0);
      title.current?.focus({ preventScroll: true });
    } else if (left) document.getElementById(conversationRowId(left))?.focus();
  }, [openId, twoPanes]);
  return title;
};

/** Two panes: the conversations and the open one. A phone shows one of them at a time. */
export function MessagesScreen({ ownId }: { ownId: string }) {
  const inbox = useInbox(ownId);
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const twoPanes = useHasTwoPanes();
  const heading = useFocusAfterNavigation<HTMLHeadingElement>();
  const openId = search.get('c')?.toLowerCase();
  const title = usePaneFocus(openId, twoPanes);
  const items = inbox.data?.items;
  const firstId = items?.[0]?.id;

  useEffect(() => {
    if (twoPanes && !openId && firstId) {
      void navigate(links.conversation(firstId), { replace: true, preventScrollReset: true });
    }
  }, [twoPanes, openId, firstId, navigate]);

  const empty = items?.length === 0 && !openId;
  return (
    <div className="page-gutters flex w-full flex-1 flex-col py-4 max-md:px-0 max-md:py-0 md:py-8">
      <h1
        ref={heading}
        tabIndex={-1}
        className={clsx(
          'mb-4 font-extrabold text-2xl outline-none max-md:mt-4 max-md:px-4 md:text-3xl',
          openId && 'max-md:sr-only',
        )}
      >
        Messages
      </h1>
      {empty ? (
        <EmptyState
          illustration={<NoMessages />}
          title="No conversations yet"
          text="Ask a seller about something you like and your conversation appears here."
          action={
            <Button asChild>
              <Link to={links.home}>Browse Listings</Link>
            </Button>
          }
        />
      ) : (
        <div
          className={clsx(
            'flex border-line bg-surface max-md:border-t md:h-[calc(100dvh-15rem-var(--offline-bar,0rem))] md:min-h-104 md:overflow-hidden md:rounded-lg md:border md:shadow-sm',
            // On a phone the list scrolls with the page, and a thread fills the space below the header.
            openId && 'h-[calc(100dvh-7.5rem-var(--offline-bar,0rem))] min-h-80 overflow-hidden',
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
            <div className="min-h-0 flex-1 overscroll-contain md:overflow-y-auto">
              <ConversationList inbox={inbox} ownId={ownId} openId={openId} />
            </div>
          </section>
          <section
            aria-label="Conversation"
            className={clsx('min-w-0 flex-1 flex-col md:flex', openId ? 'flex' : 'hidden')}
          >
            <OpenConversation inbox={inbox} ownId={ownId} openId={openId} title={title} twoPanes={twoPanes} />
          </section>
        </div>
      )}
    </div>
  );
}
