import type { AvailabilityQuestion } from '#contract/notifications.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { ownListingsQueryKey } from '#web/lib/query-keys.ts';
import { Button } from '#web/ui/button.tsx';
import { OwnPhoto } from '../own-photo.tsx';
import { AvailabilityButtons } from './availability-buttons.tsx';
import { useAvailabilityAnswer } from './use-availability-answer.ts';

interface AvailabilityQuestionsProps {
  ownId: string;
  questions: readonly AvailabilityQuestion[];
  /** Called when the listings may have changed. */
  onAnswer: () => void;
}

/** The listings that a notification asks about, each with its answers. */
export function AvailabilityQuestions({ ownId, questions, onAnswer }: AvailabilityQuestionsProps) {
  const { answer, pendingId } = useAvailabilityAnswer({
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: ownListingsQueryKey(ownId) });
      onAnswer();
    },
  });
  return (
    // The buttons are above the link that covers the notification.
    <ul className="mt-2 flex flex-col gap-3">
      {questions.map(({ listing_id: id, title, cover, state }) => (
        <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <OwnPhoto
            photo={cover ?? undefined}
            isHidden={false}
            sizes="3rem"
            alt=""
            className="w-12 shrink-0 rounded-md"
          />
          <div className="min-w-0 flex-1 basis-24">
            <p dir="auto" className="wrap-anywhere line-clamp-2 font-semibold text-sm">
              {title}
            </p>
            {state !== 'asked' && (
              <p className="text-ink-muted text-sm">{state === 'paused' ? 'Paused' : 'Answered'}</p>
            )}
          </div>
          {state === 'asked' && (
            <AvailabilityButtons
              title={title}
              isBusy={pendingId === id}
              onAnswer={(given) => answer(id, given)}
              className="relative z-1 max-sm:basis-full"
            />
          )}
          {state === 'paused' && (
            <Button
              size="sm"
              variant="secondary"
              disabled={pendingId === id}
              className="relative z-1"
              onClick={() => answer(id, 'yes')}
            >
              <span>
                Make Active<span className="sr-only">{` ${title}`}</span>
              </span>
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
