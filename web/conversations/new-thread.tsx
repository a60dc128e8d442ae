import type { Listing } from '#contract/listings.ts';
import { newConversationKey, useQueue } from './outbox.ts';
import { emptyThread, toBubbles } from './thread.ts';
import { ThreadPanel } from './thread-panel.tsx';

export interface NewThreadProps {
  listing: Pick<Listing, 'id' | 'user_id' | 'seller'>;
  ownId: string;
}

const doNothing = () => undefined;
const loadNoOlderMessages = async () => false;

/** A conversation that does not exist until its first message is stored. */
export function NewThread({ listing, ownId }: NewThreadProps) {
  const key = newConversationKey(listing.id);
  const queue = useQueue(key);
  return (
    <ThreadPanel
      conversation={{ id: key, listing_id: listing.id, buyer_id: ownId, seller_id: listing.user_id }}
      bubbles={toBubbles(emptyThread, queue.entries, ownId)}
      otherName={listing.seller.name}
      queue={queue}
      loaded
      failed={false}
      reload={doNothing}
      more={false}
      loadOlder={loadNoOlderMessages}
      gone={false}
      autoFocus
    />
  );
}
