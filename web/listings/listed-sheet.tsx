import { Dialog } from '#web/ui/dialog.tsx';
import type { JustPublishedListing } from './just-published.ts';
import { NextSteps } from './next-steps.tsx';

export interface ListedSheetProps {
  published: JustPublishedListing;
  onClose: () => void;
}

/** Shown to a seller on the page of a listing that was just published. */
export function ListedSheet({ published, onClose }: ListedSheetProps) {
  return (
    <Dialog open onOpenChange={onClose} title="Listed" description={<bdi>{published.title}</bdi>} size="sm">
      <NextSteps published={published} />
    </Dialog>
  );
}
