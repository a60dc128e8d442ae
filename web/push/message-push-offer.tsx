import { Suspense } from 'react';
import { useSession } from '#web/lib/use-session.ts';
import { lazyWithFallback, renderNothing } from '#web/ui/lazy-with-fallback.ts';
import { useIsPushOffered } from './push-offer.ts';

const PushOfferBox = lazyWithFallback(
  async () => (await import('./push-offer-box.tsx')).PushOfferBox,
  renderNothing,
);

/** Offers push notifications in a conversation once the person has sent a message. */
export function MessagePushOffer({ otherName }: { otherName: string }) {
  const { user } = useSession();
  const isOffered = useIsPushOffered(user?.id);
  return (
    user &&
    isOffered && (
      <Suspense>
        <PushOfferBox ownId={user.id} question={`Get a notification when ${otherName} answers?`} />
      </Suspense>
    )
  );
}
