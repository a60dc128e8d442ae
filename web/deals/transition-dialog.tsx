import type { DealParty } from '#contract/deal-states.ts';
import type { DealTransitionName } from '#contract/deal-transitions.ts';
import type { Deal } from '#contract/deals.ts';
import { lazyDialog } from '#web/ui/lazy-component.tsx';
import { CancelDealDialog } from './cancel-dialog.tsx';
import { ConfirmTransitionDialog, findConfirmationQuestion } from './confirm-transition-dialog.tsx';
import { CounterOfferDialog } from './counter-dialog.tsx';
import type { TransitionDialogProps } from './transition-dialog-props.ts';

const SuggestHandoverDialog = lazyDialog(
  async () => (await import('./handover-dialog.tsx')).SuggestHandoverDialog,
);
const ExtendRentalDialog = lazyDialog(async () => (await import('./extend-dialog.tsx')).ExtendRentalDialog);

const ExtraPriceDialog = lazyDialog(async () => (await import('./extra-price-dialog.tsx')).ExtraPriceDialog);

/** The dialogs for transitions that need additional data, such as a price. */
const dataDialogs = {
  counter: CounterOfferDialog,
  cancel: CancelDealDialog,
  propose_handover: SuggestHandoverDialog,
  extend: ExtendRentalDialog,
  propose_extra_price: ExtraPriceDialog,
} as const;

const isDataTransition = (name: DealTransitionName): name is keyof typeof dataDialogs => name in dataDialogs;

/**
 * Returns whether a transition of a deal opens a dialog first, because it needs further data or a
 * confirmation.
 */
export const opensTransitionDialog = (
  deal: Deal,
  name: DealTransitionName,
  party: DealParty,
  today: string,
): boolean => isDataTransition(name) || findConfirmationQuestion(deal, name, party, today) !== undefined;

export function TransitionDialog({
  name,
  party,
  ...props
}: TransitionDialogProps & { name: DealTransitionName; party: DealParty }) {
  if (isDataTransition(name)) {
    const DataDialog = dataDialogs[name];
    return <DataDialog {...props} />;
  }
  return <ConfirmTransitionDialog name={name} party={party} {...props} />;
}
