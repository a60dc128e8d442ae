import { clsx } from 'clsx';
import { EllipsisVertical } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { toCampusDay } from '#contract/campus.ts';
import { isMeetingQuestionDue } from '#contract/deal-alerts.ts';
import type { DealParty } from '#contract/deal-states.ts';
import { getTransitionLabel } from '#contract/deal-status.ts';
import type { DealTransitionName } from '#contract/deal-transitions.ts';
import type { Deal } from '#contract/deals.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { useOnline } from '#web/lib/use-online.ts';
import { DropdownMenu, MenuItem } from '#web/ui/dropdown-menu.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { OnlineOnlyButton } from '#web/ui/online-only-button.tsx';
import { toast } from '#web/ui/toast.ts';
import { arrangeTransitions } from './arrange-transitions.ts';
import { makeTransition, type TransitionInput } from './make-transition.ts';
import { reportFurtherDeals } from './together.ts';
import { opensTransitionDialog, TransitionDialog } from './transition-dialog.tsx';
import type { ListingOfDeal } from './transition-dialog-props.ts';

export interface DealActionsProps {
  deal: Deal;
  party: DealParty;
  ownId: string;
  otherName: string;
  now: Date;
  /** The deal's listing, if it has a page. */
  listing?: ListingOfDeal | null | undefined;
  /** Further buttons, shown before and after those of the transitions. */
  leading?: ReactNode;
  /** The button that shows the photos of the condition of a rented item. */
  photosButton?: ReactNode;
  children?: ReactNode;
  /** Whether the buttons scroll sideways instead of taking a second line. */
  isOneLine?: boolean;
}

const destructive: readonly DealTransitionName[] = ['cancel', 'report_no_show'];

/**
 * Returns the transition in progress, if any, and a function that makes a transition and shows a toast when it is refused.
 */
export const useDealTransition = (ownId: string, deal: Deal) => {
  const [pending, setPending] = useState<TransitionInput>();
  const tryTransition = async (input: TransitionInput): Promise<boolean> => {
    setPending(input);
    try {
      reportFurtherDeals(input, await makeTransition(ownId, deal, input));
      return true;
    } catch (reason) {
      toast.error((reason as Error).message);
      return false;
    } finally {
      setPending(undefined);
    }
  };
  return { pending, tryTransition };
};

/** The buttons of a deal: the next action, further ones, and a menu with the rest. */
export function DealActions({
  deal,
  party,
  ownId,
  otherName,
  now,
  listing,
  leading,
  photosButton,
  children,
  isOneLine = false,
}: DealActionsProps) {
  const { pending, tryTransition } = useDealTransition(ownId, deal);
  const isOnline = useOnline();
  const campus = useCampus();
  const [openDialog, setOpenDialog] = useState<DealTransitionName>();
  // Close the dialog when its transition is no longer possible. Otherwise, the dialog would open again by
  // itself if the transition became possible later.
  if (openDialog && !deal.transitions.includes(openDialog)) setOpenDialog(undefined);
  const { primary, secondary, menu } = arrangeTransitions(deal, now);
  const isAsked = isMeetingQuestionDue(deal, now);
  const labelOf = (name: DealTransitionName) => {
    // Next to the question "Did you meet?", a plain "Cancel" could mean the meeting, so this label names
    // the deal.
    if (name === 'cancel' && isAsked) return 'Cancel the deal';
    if (name === 'propose_handover' && deal.handover) return 'Suggest a new time';
    return getTransitionLabel(deal, name, party);
  };

  const start = (name: DealTransitionName): void => {
    if (pending) return;
    if (opensTransitionDialog(deal, name, party, toCampusDay(campus, now))) setOpenDialog(name);
    else void tryTransition({ transition: name } as TransitionInput);
  };

  const names = primary ? [primary, ...secondary] : secondary;
  const renderButton = (name: DealTransitionName) => (
    <OnlineOnlyButton
      key={name}
      size="sm"
      className="shrink-0 whitespace-nowrap max-sm:px-3!"
      variant={name === primary ? 'primary' : 'secondary'}
      loading={pending?.transition === name}
      onClick={() => start(name)}
    >
      {labelOf(name)}
    </OnlineOnlyButton>
  );
  return (
    <div
      className={clsx(
        'flex min-w-0 gap-2 max-md:gap-x-1.5',
        isOneLine ? 'compact:max-w-[60%] compact:shrink-0 col-span-2' : 'flex-wrap items-center',
        'has-[>:first-child:empty]:hidden',
      )}
    >
      <div
        className={clsx(
          'flex min-w-0 items-center gap-2 max-md:gap-x-1.5',
          // The padding leaves room for the outline of a focused button.
          isOneLine ? '-mx-1 flex-1 overflow-x-auto px-1' : 'flex-wrap',
        )}
      >
        {leading}
        {names.map(renderButton)}
        {photosButton}
        {children}
      </div>
      {menu.length > 0 && (
        <DropdownMenu
          trigger={
            <IconButton label="More actions for this deal" className="-mr-3">
              <EllipsisVertical aria-hidden="true" />
            </IconButton>
          }
        >
          {menu.map((name) => (
            <MenuItem
              key={name}
              danger={destructive.includes(name)}
              disabled={!isOnline}
              onSelect={() => start(name)}
            >
              {isOnline ? labelOf(name) : `${labelOf(name)} (you’re offline)`}
            </MenuItem>
          ))}
        </DropdownMenu>
      )}
      {openDialog && (
        <TransitionDialog
          name={openDialog}
          deal={deal}
          party={party}
          ownId={ownId}
          otherName={otherName}
          listing={listing}
          photosButton={photosButton}
          onClose={() => setOpenDialog(undefined)}
        />
      )}
    </div>
  );
}
