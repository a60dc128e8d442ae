import type { Deal } from '#contract/deals.ts';

export interface TransitionDialogProps {
  deal: Deal;
  ownId: string;
  otherName: string;
  onClose: () => void;
}
