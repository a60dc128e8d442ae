import { Dialog } from '#web/ui/dialog.tsx';
import { type PushOfferProps, usePushOffer } from './use-push-offer.tsx';

/**
 * A dialog that offers to turn on push notifications. Closing it without a choice does not count as
 * declining.
 */
export function PushOfferDialog({ onEnd, ...props }: PushOfferProps & { onEnd: () => void }) {
  const { title, content, actions } = usePushOffer({ ...props, onEnd });
  return (
    <Dialog open onOpenChange={onEnd} title={title} actions={actions} size="sm">
      {content}
    </Dialog>
  );
}
