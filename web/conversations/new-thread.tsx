import { listFirstQuestions } from '#contract/first-words.ts';
import type { Listing } from '#contract/listings.ts';
import { MessagingUnavailableNotice } from '#web/blocks/public.ts';
import { toNewConversationKey, useOutgoingQueue } from './outbox.ts';
import { emptyThread, toThreadItems } from './thread.ts';
import { ThreadPanel } from './thread-view.tsx';

export interface NewThreadProps {
  listing: Pick<Listing, 'id' | 'user_id' | 'seller' | 'category' | 'is_on_hold'>;
  ownId: string;
}

const doNothing = () => undefined;
const loadNoOlderMessages = async () => false;

/** The thread of a new conversation. The server creates the conversation with its first message. */
export function NewThread({ listing, ownId }: NewThreadProps) {
  const key = toNewConversationKey(listing.id);
  const queue = useOutgoingQueue(key);
  return (
    <ThreadPanel
      conversation={{ id: key, listing_id: listing.id, buyer_id: ownId, seller_id: listing.user_id }}
      items={toThreadItems(emptyThread, queue.entries, ownId)}
      otherName={listing.seller.name}
      queue={queue}
      loaded
      failed={false}
      reload={doNothing}
      more={false}
      loadOlder={loadNoOlderMessages}
      gone={false}
      questions={listFirstQuestions({ category: listing.category, isOnHold: listing.is_on_hold })}
      mayWrite
      contactNotice={
        <MessagingUnavailableNotice
          person={{ id: listing.user_id, name: listing.seller.name }}
          ownId={ownId}
        />
      }
      autoFocus
    />
  );
}
