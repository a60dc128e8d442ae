import { formatCampusTime } from '#contract/deal-event-lines.ts';
import type { Deal } from '#contract/deals.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { useOnline } from '#web/lib/use-online.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogClose } from '#web/ui/dialog.tsx';
import { OnlineOnlyButton } from '#web/ui/online-only-button.tsx';
import { DealItem } from './deal-item.tsx';

export interface AgreeTogetherDialogProps {
  deal: Deal;
  /** The other deals for which the same time and place are suggested. */
  others: readonly Deal[];
  /** The suggested time (ISO 8601). */
  time: string;
  /** Called with the deals to agree for besides `deal`. */
  onAgree: (others: readonly Deal[]) => void;
  onClose: () => void;
}

/** Asks whether to agree to a time for all items for which it is suggested. */
export function AgreeTogetherDialog({ deal, others, time, onAgree, onClose }: AgreeTogetherDialogProps) {
  const campus = useCampus();
  const isOnline = useOnline();
  const deals = [deal, ...others];
  const { place = '', landmark } = deal.handover?.proposal ?? {};
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={formatCampusTime(time, campus)}
      description={[place, landmark]
        .filter((part) => part !== undefined)
        .map(isolateDirection)
        .join(', ')}
      size="sm"
      actions={
        <>
          <DialogClose>
            <Button variant="secondary" disabled={!isOnline} onClick={() => onAgree([])}>
              Only this item
            </Button>
          </DialogClose>
          <DialogClose>
            <OnlineOnlyButton onClick={() => onAgree(others)}>
              {`Accept for ${deals.length} items`}
            </OnlineOnlyButton>
          </DialogClose>
        </>
      }
    >
      <ul className="space-y-2">
        {deals.map((it) => (
          <li key={it.id}>
            <DealItem deal={it} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
