import { useKeptFocus } from '#web/ui/use-kept-focus.ts';
import { DealActions, type DealActionsProps } from './deal-actions.tsx';
import { DealAlertBox, type DealAlertBoxProps } from './deal-alert-box.tsx';

/** What needs the attention of a buyer on the page of the listing, with its answers. */
export function ListingDealAlert({
  alert,
  ...actions
}: Omit<DealActionsProps, 'party'> & Pick<DealAlertBoxProps, 'alert'>) {
  const keptFocus = useKeptFocus<HTMLDivElement>();
  return (
    <div {...keptFocus} className="flex flex-col gap-2">
      <DealAlertBox alert={alert} deal={actions.deal} />
      <DealActions {...actions} party="buyer" />
    </div>
  );
}
