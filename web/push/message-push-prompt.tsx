import { isolateDirection } from '#contract/text-direction.ts';
import { useSession } from '#web/lib/use-session.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { useIsPushPromptOpen } from './push-prompt.ts';

const PushPromptBox = lazyComponent(async () => (await import('./push-prompt-box.tsx')).PushPromptBox, {
  failed: () => null,
});

/** Shows the prompt for push notifications in a conversation once the person has sent a message. */
export function MessagePushPrompt({ otherName }: { otherName: string }) {
  const { user } = useSession();
  const isOpen = useIsPushPromptOpen(user?.id);
  return (
    user &&
    isOpen && (
      <PushPromptBox
        ownId={user.id}
        question={`Get a notification when ${isolateDirection(otherName)} answers?`}
      />
    )
  );
}
