import type { Deal } from '#contract/deals.ts';

/** The props of every dialog that makes a transition of a deal. */
export interface TransitionDialogProps {
  deal: Deal;
  ownId: string;
  otherName: string;
  onClose: () => void;
}
