import type { ReactNode } from 'react';
import { useCampus } from '#web/lib/use-campus.ts';
import { Button } from '#web/ui/button.tsx';
import { HomeScreenSteps } from './home-screen-steps.tsx';
import { closePushPrompt } from './push-prompt.ts';
import { getPushSupport } from './push-support.ts';
import { useTurnOnPushNotifications } from './use-turn-on-push-notifications.ts';

export interface PushPromptProps {
  ownId: string;
  /** A question that names what the person would be notified about. */
  question: string;
  /** Called when the prompt was accepted or declined. */
  onEnd?: (() => void) | undefined;
}

/**
 * Returns the title, content and buttons of the prompt for push notifications. On an iPhone, the site may
 * first have to be added to the Home Screen; the content then explains how.
 */
export const usePushPrompt = ({
  ownId,
  question,
  onEnd,
}: PushPromptProps): { title: string; content: ReactNode; actions: ReactNode } => {
  const { siteName } = useCampus();
  const [isWorking, turnOn] = useTurnOnPushNotifications(ownId);
  const end = (isDeclined: boolean): void => {
    closePushPrompt({ isDeclined });
    onEnd?.();
  };
  const accept = async (): Promise<void> => {
    const result = await turnOn();
    if (result !== 'failed') end(result === 'refused');
  };
  const decline = (
    <Button size="sm" variant="secondary" disabled={isWorking} onClick={() => end(true)}>
      Not now
    </Button>
  );
  if (getPushSupport() === 'home_screen')
    return {
      title: `Add ${siteName} to your Home Screen to get notifications`,
      content: <HomeScreenSteps siteName={siteName} />,
      actions: decline,
    };
  return {
    title: question,
    content: (
      <p className="text-ink-muted text-sm">{`This device can notify you even when ${siteName} is closed. Settings has a switch for it.`}</p>
    ),
    actions: (
      <>
        {decline}
        <Button size="sm" loading={isWorking} onClick={() => void accept()}>
          Turn on notifications
        </Button>
      </>
    ),
  };
};
