import { Dialog } from '#web/ui/dialog.tsx';
import { type PushOfferProps, usePushOffer } from './use-push-offer.tsx';

/** Offers push notifications in a dialog; closing it in another way leaves the offer for later. */
export function PushOfferDialog({ onEnd, ...props }: PushOfferProps & { onEnd: () => void }) {
  const { title, content, actions } = usePushOffer({ ...props, onEnd });
  return (
    <Dialog open onOpenChange={onEnd} title={title} actions={actions} size="sm">
      {content}
    </Dialog>
  );
}
