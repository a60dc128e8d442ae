import { useState } from 'react';
import { toCampusDay } from '#contract/campus.ts';
import type { DealParty } from '#contract/deal-states.ts';
import { getTransitionLabel } from '#contract/deal-status.ts';
import type { DealTransitionName } from '#contract/deal-transitions.ts';
import type { Deal } from '#contract/deals.ts';
import { listOpenPhotoSteps } from '#contract/rental-photos.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { useOnline } from '#web/lib/use-online.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { toast } from '#web/ui/toast.ts';
import { isDealChangedError, makeTransition, type TransitionInput } from './make-transition.ts';
import type { TransitionDialogProps } from './transition-dialog-props.ts';

interface Question {
  title: string;
  text: (name: string) => string;
  danger?: boolean;
  /** What to do about the photos of the condition of a rented item. */
  photoAdvice?: string;
}

const declined: Question = {
  title: 'Decline this offer?',
  text: (name) => `${isolateDirection(name)} is told, and can make a new offer later.`,
};
const noShow: Question = {
  title: 'Report that nobody came?',
  text: (name) =>
    `This ends the deal. ${isolateDirection(name)} can say within 48 hours that the report is wrong.`,
  danger: true,
};

/**
 * The confirmation questions for transitions that cannot be undone, by transition and by the party that
 * makes it.
 */
const questions: Partial<Record<DealTransitionName, Partial<Record<DealParty, Question>>>> = {
  decline: { seller: declined, buyer: declined },
  received: {
    buyer: {
      title: 'Do you have it?',
      text: (name) => `This tells ${isolateDirection(name)}, and cannot be undone.`,
      photoAdvice: 'If it has scratches, add condition photos today.',
    },
  },
  returned: {
    seller: {
      title: 'Is it back?',
      text: (name) => `This ends the rental and tells ${isolateDirection(name)}.`,
      photoAdvice: 'If something is wrong with it, add condition photos first.',
    },
  },
  report_no_show: { seller: noShow, buyer: noShow },
};

/** The question about a handover that the buyer can still object to, which is asked only for its advice. */
const rentalHandover: Question = {
  title: 'Did you hand it over?',
  text: (name) => `This tells ${isolateDirection(name)}.`,
  photoAdvice: 'Condition photos show what it looked like. You can add them first.',
};

/**
 * Returns the question before a transition, or undefined when there is none. The handover of a rental is confirmed while there are
 * no photos of the item's condition and some can be added `today` (YYYY-MM-DD, on the campus).
 */
export const findConfirmationQuestion = (
  deal: Pick<Deal, 'kind' | 'state' | 'first_day' | 'has_photos'>,
  name: DealTransitionName,
  party: DealParty,
  today: string,
): Question | undefined =>
  name === 'handed_over' && !deal.has_photos && listOpenPhotoSteps(deal, today).length > 0
    ? rentalHandover
    : questions[name]?.[party];

/** Asks for confirmation before a transition that cannot be undone. */
export function ConfirmTransitionDialog({
  name,
  party,
  deal,
  ownId,
  otherName,
  photosButton,
  onClose,
}: TransitionDialogProps & { name: DealTransitionName; party: DealParty }) {
  const isOnline = useOnline();
  const today = toCampusDay(useCampus(), new Date());
  // The question stays as it was asked: the first photo that somebody adds in between makes it unnecessary.
  const [question] = useState(() => findConfirmationQuestion(deal, name, party, today));
  const advice = deal.kind === 'rental' ? question?.photoAdvice : undefined;
  const confirm = async () => {
    try {
      await makeTransition(ownId, deal, { transition: name } as TransitionInput);
    } catch (reason) {
      toast.error((reason as Error).message);
      // If the deal has changed in the meantime, let the dialog close: the screen already shows the deal's
      // new state.
      if (!isDealChangedError(reason)) throw reason;
    }
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={question?.title ?? ''}
      description={[question?.text(otherName), advice].filter(Boolean).join(' ')}
      confirmLabel={isOnline ? getTransitionLabel(deal, name, party) : 'You’re offline'}
      confirmDisabled={!isOnline}
      danger={question?.danger}
      onConfirm={confirm}
    >
      {advice && listOpenPhotoSteps(deal, today).length > 0 && photosButton}
    </ConfirmDialog>
  );
}
