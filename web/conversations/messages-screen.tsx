import { clsx } from 'clsx';
import { useEffect, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import type { Conversation } from '#contract/conversations.ts';
import { messagingSentences } from '#contract/conversations.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { NoMessages } from '#web/ui/illustrations/empty-states.tsx';
import { useArrivalFocus } from '#web/ui/page-heading.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { ConversationRow } from './conversation-row.tsx';
import { ThreadHeader } from './thread-header.tsx';
import { ThreadView } from './thread-view.tsx';
import { type LiveInbox, useInbox } from './use-inbox.ts';

const wide = '(min-width: 48rem)';

const useWide = (): boolean => {
  const [matches, setMatches] = useState(() => window.matchMedia(wide).matches);
  useEffect(() => {
    const query = window.matchMedia(wide);
    const look = () => setMatches(query.matches);
    query.addEventListener('change', look);
    return () => query.removeEventListener('change', look);
  }, []);
  return matches;
};

/** Two panes: the conversations and the open one. A phone shows one of them at a time. */
export function MessagesScreen({ ownId }: { ownId: string }) {
  const inbox = useInbox(ownId);
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const twoPanes = useWide();
  const heading = useArrivalFocus<HTMLHeadingElement>();
  const openId = search.get('c')?.toLowerCase();
  const items = inbox.data?.items;
  const open = items?.find((item) => item.id === openId);
  const firstId = items?.[0]?.id;

  useEffect(() => {
    if (twoPanes && !openId && firstId) {
      void navigate(`/messages?c=${firstId}`, { replace: true, preventScrollReset: true });
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
              <Link to="/">Browse Listings</Link>
            </Button>
          }
        />
      ) : (
        <div className="flex h-[calc(100dvh-15rem)] min-h-104 overflow-hidden border-line bg-surface max-md:h-[calc(100dvh-7.5rem)] max-md:border-t md:rounded-lg md:border md:shadow-sm">
          <section
            aria-label="Conversations"
            className={clsx(
              'w-full flex-col overflow-y-auto border-line md:flex md:w-80 md:shrink-0 md:border-r lg:w-96',
              openId ? 'hidden' : 'flex',
            )}
          >
            <ConversationList inbox={inbox} ownId={ownId} openId={openId} />
          </section>
          <section
            aria-label="Conversation"
            className={clsx('min-w-0 flex-1 flex-col md:flex', openId ? 'flex' : 'hidden')}
          >
            <OpenConversation inbox={inbox} ownId={ownId} openId={openId} open={open} focus={twoPanes} />
          </section>
        </div>
      )}
    </div>
  );
}

interface PaneProps {
  inbox: LiveInbox;
  ownId: string;
  openId: string | undefined;
}

function LoadFailed({ reload }: { reload: () => void }) {
  return (
    <div className="p-4">
      <Alert
        tone="error"
        action={
          <Button variant="secondary" size="sm" onClick={reload}>
            Try again
          </Button>
        }
      >
        {messagingSentences.loadAll}
      </Alert>
    </div>
  );
}

function ConversationList({ inbox, ownId, openId }: PaneProps) {
  if (!inbox.data) {
    if (inbox.error && !inbox.loading) return <LoadFailed reload={inbox.reload} />;
    return (
      <div aria-busy="true">
        <span className="sr-only">Loading conversations</span>
        {[0, 1, 2, 3].map((row) => (
          <div key={row} className="flex gap-3 p-4">
            <Skeleton className="size-14 rounded-md" />
            <div className="flex-1 space-y-2 py-1">
              <Skeleton className="h-4 w-3/5" />
              <Skeleton className="h-3 w-4/5" />
              <Skeleton className="h-3 w-2/5" />
            </div>
          </div>
        ))}
      </div>
    );
  }
  return (
    <ul className="divide-y divide-line">
      {inbox.data.items.map((item) => (
        <li key={item.id}>
          <ConversationRow conversation={item} ownId={ownId} open={item.id === openId} />
        </li>
      ))}
    </ul>
  );
}

function OpenConversation({
  inbox,
  ownId,
  openId,
  open,
  focus,
}: PaneProps & { open: Conversation | undefined; focus: boolean }) {
  if (open) {
    return (
      <>
        <ThreadHeader conversation={open} />
        <ThreadView
          key={open.id}
          conversation={open}
          ownId={ownId}
          autoFocus={focus}
          onSent={inbox.noteSent}
          onRead={inbox.noteRead}
        />
      </>
    );
  }
  if (openId && inbox.data) {
    return (
      <div className="space-y-4 p-4">
        <Alert tone="error">{messagingSentences.loadOne}</Alert>
        <Button asChild variant="secondary">
          <Link to="/messages">All conversations</Link>
        </Button>
      </div>
    );
  }
  if (!inbox.data) return null;
  return (
    <div className="grid flex-1 place-items-center">
      <EmptyState illustration={<NoMessages />} title="Select a conversation to start messaging" />
    </div>
  );
}
