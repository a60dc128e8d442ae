import { useEffect } from 'react';
import { Link } from 'react-router';
import { calls } from '#contract/calls.ts';
import { messagingSentences } from '#contract/conversations.ts';
import type { Listing } from '#contract/listings.ts';
import { ApiError, request } from '#web/lib/api.ts';
import { useLoad } from '#web/lib/use-load.ts';
import { useSession } from '#web/lib/use-session.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { toast } from '#web/ui/toast.ts';
import { ThreadView } from './thread-view.tsx';

export interface MessageDialogProps {
  listing: Pick<Listing, 'id' | 'title' | 'seller'>;
  onClose: () => void;
}

const nothing = () => undefined;

/** The conversation about a listing, in a dialog over it, open from the start: found or created. */
export function MessageDialog({ listing, onClose }: MessageDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Message ${listing.seller.name}`}
      description={listing.title}
      size="lg"
      flush
      keepOpen
    >
      <div className="flex h-[min(34rem,70dvh)] flex-col">
        <Conversation listingId={listing.id} onClose={onClose} />
      </div>
    </Dialog>
  );
}

function Conversation({ listingId, onClose }: { listingId: string; onClose: () => void }) {
  const { isAuthenticated, loading, user } = useSession();
  const conversation = useLoad(`${listingId} for ${user?.id ?? ''}`, (signal) =>
    request(calls.openConversation, { body: { listing_id: listingId }, signal }),
  );

  const signedOut = !loading && !isAuthenticated;
  useEffect(() => {
    if (!signedOut) return;
    toast.error(messagingSentences.signIn);
    onClose();
  }, [signedOut, onClose]);

  if (conversation.data && user) {
    return <ThreadView conversation={conversation.data} ownId={user.id} autoFocus onRead={nothing} />;
  }
  if (conversation.error && !conversation.loading) {
    const { error } = conversation;
    const gone = error instanceof ApiError && error.code === 'listing_not_found';
    return (
      <div className="p-5">
        <Alert
          tone="error"
          title={messagingSentences.loadOne}
          action={
            gone ? (
              <Button variant="secondary" size="sm" asChild>
                <Link to="/messages">Messages</Link>
              </Button>
            ) : (
              <Button variant="secondary" size="sm" onClick={conversation.reload}>
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
