import { clsx } from 'clsx';
import type { AvailabilityAnswer } from '#contract/listings.ts';
import { Button } from '#web/ui/button.tsx';

const answerLabels: Record<AvailabilityAnswer, string> = { yes: 'Yes', sold: 'Sold', hide: 'Hide' };

export interface AvailabilityButtonsProps {
  /** The title of the listing, which is added to the labels for screen readers. */
  title: string;
  isBusy: boolean;
  onAnswer: (answer: AvailabilityAnswer) => void;
  className?: string;
}

/** The answers to the question whether a listing is still available. */
export function AvailabilityButtons({ title, isBusy, onAnswer, className }: AvailabilityButtonsProps) {
  return (
    <div className={clsx('flex gap-2', className)}>
      {(Object.keys(answerLabels) as AvailabilityAnswer[]).map((answer) => (
        <Button
          key={answer}
          size="sm"
          variant={answer === 'yes' ? 'primary' : 'secondary'}
          disabled={isBusy}
          className="min-w-16 flex-1"
          onClick={() => onAnswer(answer)}
        >
          <span>
            {answerLabels[answer]}
            <span className="sr-only">{` ${title}`}</span>
          </span>
        </Button>
      ))}
    </div>
  );
}
