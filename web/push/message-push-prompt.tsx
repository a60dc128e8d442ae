import { Suspense } from 'react';
import { useSession } from '#web/lib/use-session.ts';
import { lazyWithFallback, renderNothing } from '#web/ui/lazy-with-fallback.ts';
import { useIsPushPromptOpen } from './push-prompt.ts';

const PushPromptBox = lazyWithFallback(
  async () => (await import('./push-prompt-box.tsx')).PushPromptBox,
  renderNothing,
);

/** Shows the prompt for push notifications in a conversation once the person has sent a message. */
export function MessagePushPrompt({ otherName }: { otherName: string }) {
  const { user } = useSession();
  const isOpen = useIsPushPromptOpen(user?.id);
  return (
    user &&
    isOpen && (
      <Suspense>
        <PushPromptBox ownId={user.id} question={`Get a notification when ${otherName} answers?`} />
      </Suspense>
    )
  );
}
