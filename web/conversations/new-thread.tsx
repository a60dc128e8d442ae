import { useEffect, useEffectEvent, useState } from 'react';
import type { Message } from '#contract/conversations.ts';
import type { Listing } from '#contract/listings.ts';
import { newConversationKey } from './new-conversation.ts';
import { onSent, queueOf, useQueue } from './outbox.ts';
import { bubblesOf, hasGap, type Thread, threadReducer } from './thread.ts';
import { cacheThread } from './thread-cache.ts';
import { ThreadPanel } from './thread-panel.tsx';
import { useRefusal } from './use-refusal.ts';

export interface NewThreadProps {
  listing: Pick<Listing, 'id' | 'user_id' | 'seller'>;
  ownId: string;
  /** The first message is stored, and with it the conversation. */
  onStarted: () => void;
}

const empty: Thread = { loaded: true, stored: [], more: false };
const nothing = () => undefined;
const nothingOlder = async () => false;

/** A conversation that does not exist until its first message is sent. */
export function NewThread({ listing, ownId, onStarted }: NewThreadProps) {
  const key = newConversationKey(listing.id);
  const [thread, setThread] = useState(empty);
  const started = thread.stored[0]?.conversation_id;
  const { entries, waiting } = useQueue(started ?? key);
  const refusedBefore = useRefusal(key);
  const refusedSince = useRefusal(started ?? key);

  const take = useEffectEvent((message: Message): void => {
    const own = queueOf(key).entries.some(({ client_id }) => client_id === message.client_id);
    if (!own && message.conversation_id !== started) return;
    const next = threadReducer(thread, { kind: 'arrived', messages: [message] });
    setThread(next);
    // Another tab may have written before: then the thread is read from the server.
    if (!hasGap(next)) cacheThread(message.conversation_id, next);
    onStarted();
  });
  useEffect(() => onSent((message) => take(message)), []);

  return (
    <ThreadPanel
      conversation={{
        id: started ?? key,
        listing_id: listing.id,
        buyer_id: ownId,
        seller_id: listing.user_id,
      }}
      bubbles={bubblesOf(thread, entries, ownId)}
      otherName={listing.seller.name}
      waiting={waiting}
      loaded
      failed={false}
      reload={nothing}
      more={false}
      loadOlder={nothingOlder}
      refusal={started ? refusedSince : refusedBefore}
      gone={false}
      autoFocus
    />
  );
}
