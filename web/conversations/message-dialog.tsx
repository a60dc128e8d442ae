import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link } from 'react-router';
import { calls } from '#contract/calls.ts';
import { messagingErrorMessages } from '#contract/conversations.ts';
import type { Listing } from '#contract/listings.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { MessagingUnavailableNotice } from '#web/blocks/public.ts';
import { ApiError, request } from '#web/lib/api.ts';
import { links } from '#web/lib/links.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useSession } from '#web/lib/use-session.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { toast } from '#web/ui/toast.ts';
import { conversationByListingQueryKey } from './conversation-cache.ts';
import { NewThread } from './new-thread.tsx';
import { toNewConversationKey } from './outbox.ts';
import { moveAndSendQueue } from './sending.ts';
import { ThreadView } from './thread-view.tsx';

export interface MessageDialogProps {
  listing: Pick<Listing, 'id' | 'user_id' | 'title' | 'seller' | 'category' | 'is_on_hold'>;
  onClose: () => void;
}

/**
 * A dialog with the person's conversation about a listing. Opening the dialog creates nothing on
 * the server; the conversation is created with the first message.
 */
export function MessageDialog({ listing, onClose }: MessageDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Message ${isolateDirection(listing.seller.name)}`}
      description={<bdi>{listing.title}</bdi>}
      size="lg"
      flush
      keepOpen
    >
      {/* If the title takes several lines, the conversation below it shrinks, so that the message input stays
          in view. */}
      <div className="flex h-[min(34rem,70dvh)] min-h-0 flex-col">
        <ConversationPanel listing={listing} onClose={onClose} />
      </div>
    </Dialog>
  );
}

function ConversationPanel({ listing, onClose }: MessageDialogProps) {
  const { isAuthenticated, loading, user } = useSession();
  const found = useQuery(
    {
      queryKey: conversationByListingQueryKey(user?.id ?? '', listing.id),
      queryFn: ({ signal }) => request(calls.findConversation, { params: { id: listing.id }, signal }),
      enabled: user !== null,
    },
    queryClient,
  );
  // A conversation without messages exists if the server refused the first message. Treat it like a
  // missing conversation.
  const conversation = found.data?.conversation?.last_message ? found.data.conversation : undefined;

  useEffect(() => {
    if (conversation) moveAndSendQueue(toNewConversationKey(listing.id), conversation);
  }, [conversation, listing.id]);

  const signedOut = !loading && !isAuthenticated;
  useEffect(() => {
    if (!signedOut) return;
    toast.error(messagingErrorMessages.signIn);
    onClose();
  }, [signedOut, onClose]);

  if (conversation && user) {
    return <ThreadView key={conversation.id} conversation={conversation} ownId={user.id} autoFocus />;
  }
  if (found.data && user) return <NewThread listing={listing} ownId={user.id} />;
  if (found.error) {
    const { error } = found;
    const code = error instanceof ApiError ? error.code : undefined;
    if (code === 'contact_refused' && user)
      return (
        <MessagingUnavailableNotice
          person={{ id: listing.user_id, name: listing.seller.name }}
          ownId={user.id}
        />
      );
    const gone = code === 'listing_not_found';
    return (
      <div className="p-5">
        <Alert
          tone="error"
          title={messagingErrorMessages.loadOne}
          action={
            gone ? (
              <Button variant="secondary" size="sm" asChild>
                <Link to={links.messages}>Messages</Link>
              </Button>
            ) : (
              <Button variant="secondary" size="sm" onClick={() => void found.refetch()}>
                Try again
              </Button>
            )
          }
        >
          {gone && error.message}
        </Alert>
      </div>
    );
  }
  return (
    <div className="grid flex-1 place-items-center">
      <Spinner label="Loading conversation" />
    </div>
  );
}
