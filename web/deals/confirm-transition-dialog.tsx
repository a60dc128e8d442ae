import type { DealParty } from '#contract/deal-states.ts';
import { getTransitionLabel } from '#contract/deal-status.ts';
import type { DealTransitionName } from '#contract/deal-transitions.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { useOnline } from '#web/lib/use-online.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { toast } from '#web/ui/toast.ts';
import { isDealChangedError, makeTransition, type TransitionInput } from './make-transition.ts';
import type { TransitionDialogProps } from './transition-dialog-props.ts';

interface Question {
  title: string;
  text: (name: string) => string;
  danger?: boolean;
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
export const confirmationQuestions: Partial<
  Record<DealTransitionName, Partial<Record<DealParty, Question>>>
> = {
  decline: { seller: declined, buyer: declined },
  received: {
    buyer: {
      title: 'Do you have it?',
      text: (name) => `This tells ${isolateDirection(name)}, and cannot be undone.`,
    },
  },
  returned: {
    seller: {
      title: 'Is it back?',
      text: (name) => `This ends the rental and tells ${isolateDirection(name)}.`,
    },
  },
  report_no_show: { seller: noShow, buyer: noShow },
};

/** What to do before or after the handover of a rented item and its return, by transition and by party. */
const photoAdvice: Partial<Record<DealTransitionName, Partial<Record<DealParty, string>>>> = {
  received: { buyer: 'If it has scratches, add condition photos today.' },
  returned: { seller: 'If something is wrong with it, add condition photos first.' },
};

/** Asks for confirmation before a transition that cannot be undone. */
export function ConfirmTransitionDialog({
  name,
  party,
  deal,
  ownId,
  otherName,
  onClose,
}: TransitionDialogProps & { name: DealTransitionName; party: DealParty }) {
  const isOnline = useOnline();
  const question = confirmationQuestions[name]?.[party];
  const advice = deal.kind === 'rental' ? photoAdvice[name]?.[party] : undefined;
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
    />
  );
}
