import { useLayoutEffect, useRef } from 'react';
import { useRevalidator } from 'react-router';
import type { Listing } from '#contract/listings.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { ownListingsQueryKey } from '#web/lib/query-keys.ts';
import { Button } from '#web/ui/button.tsx';
import { useAvailabilityAnswer } from './mine/use-availability-answer.ts';

/** Makes the person's own paused listing active again, on its page. Then the page's heading takes the focus of the button. */
export function MakeActiveButton({ listing }: { listing: Pick<Listing, 'id' | 'user_id'> }) {
  const { revalidate } = useRevalidator();
  const { answer, pendingId } = useAvailabilityAnswer({
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: ownListingsQueryKey(listing.user_id) });
      void revalidate();
    },
  });
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const element = button.current;
    return () => {
      if (element === document.activeElement) document.querySelector('h1')?.focus({ preventScroll: true });
    };
  }, []);
  return (
    <Button
      ref={button}
      size="sm"
      loading={pendingId !== undefined}
      onClick={() => answer(listing.id, 'yes')}
    >
      Make Active
    </Button>
  );
}
