import {
  CopyPlus,
  EllipsisVertical,
  HandCoins,
  Handshake,
  ListChecks,
  type LucideIcon,
  Pencil,
  RotateCcw,
  Trash2,
  Undo2,
  Upload,
  UserRoundCheck,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { AvailabilityAnswer, OwnListing, SettableListingStatus } from '#contract/listings.ts';
import { getSaleOutcome } from '#contract/selling.ts';
import { links } from '#web/lib/links.ts';
import { Button, type ButtonProps } from '#web/ui/button.tsx';
import { DropdownMenu, MenuItem } from '#web/ui/dropdown-menu.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { getMarkSoldLabel } from './mark-sold-label.ts';

export interface OwnListingHandlers {
  onStatus: (status: SettableListingStatus) => void;
  /** Says whether the listing is still available. */
  onAvailability: (answer: AvailabilityAnswer) => void;
  onOffers: () => void;
  /** Marks the listing as sold to somebody who is not named. */
  onSell: () => void;
  /** Opens the dialog that marks the listing as sold to somebody who wrote about it. */
  onSellTo: () => void;
  /** Changes the price. If that fails, returns the messages about the fields, which may be none. */
  onPrice: (price: number) => Promise<Record<string, string> | undefined>;
  /** Selects the listing, for an action on several ones. */
  onSelect: () => void;
  onRelist: () => void;
  /** Copies the listing to a draft and opens it in the form. */
  onCopy: () => void;
  onDelete: () => void;
}

export interface OwnListingActionsProps extends OwnListingHandlers {
  listing: OwnListing;
  /** The title, or a placeholder in a draft without one. */
  title: string;
  /** The current date on campus (YYYY-MM-DD). */
  today: string;
}

const sellToLabels = { sold: 'Sold to…', given_away: 'Given to…', rented: undefined } as const;

interface OwnListingAction {
  name: 'edit' | 'relist' | 'copy' | 'offers' | 'sell' | 'sell-to' | 'draft' | 'delete' | 'publish';
  label: string;
  icon: LucideIcon;
  /** What the action does: it opens a path, or calls a function. */
  effect: string | (() => void);
}

/**
 * Returns the actions that the owner can take in the listing's current state, in the order of their
 * buttons.
 */
const listActions = ({ listing, today, ...handlers }: OwnListingActionsProps): OwnListingAction[] => {
  const { onStatus, onAvailability, onOffers, onSell, onSellTo, onRelist, onCopy, onDelete } = handlers;
  const sellToLabel = sellToLabels[getSaleOutcome(listing.category)];
  const isPublished = listing.status === 'published';
  const isSold = listing.status === 'sold';
  const isRented = isPublished && listing.rented_until !== null && listing.rented_until >= today;
  const canRelist = (isSold || isRented) && listing.sale_confirmed_at === null;
  const isPaused = Boolean(listing.paused_at);
  const isDraft = listing.status === 'draft' && listing.hidden_reason === null;
  // A listing whose game has passed is published with another date, which its form asks for.
  const canPublish = isDraft && !listing.ended_at;
  const isEndedOrPaused = isDraft && Boolean(listing.ended_at ?? listing.paused_at);
  const canSell = isPublished ? !isRented : isEndedOrPaused;
  const canCopy = isSold || isEndedOrPaused;
  const actions: (OwnListingAction | false)[] = [
    !isSold && { name: 'edit', label: 'Edit', icon: Pencil, effect: links.editListing(listing.id) },
    canRelist && { name: 'relist', label: 'Relist', icon: RotateCcw, effect: onRelist },
    canCopy && { name: 'copy', label: 'Post Again', icon: CopyPlus, effect: onCopy },
    (isPublished || isSold) && { name: 'offers', label: 'Offers', icon: Handshake, effect: onOffers },
    canSell && { name: 'sell', label: getMarkSoldLabel(listing), icon: HandCoins, effect: onSell },
    (isPublished || canSell) &&
      sellToLabel !== undefined && {
        name: 'sell-to',
        label: sellToLabel,
        icon: UserRoundCheck,
        effect: onSellTo,
      },
    (isPublished || listing.status === 'in_review') && {
      name: 'draft',
      label: 'Mark as Draft',
      icon: Undo2,
      effect: () => onStatus('draft'),
    },
    { name: 'delete', label: 'Delete', icon: Trash2, effect: onDelete },
    canPublish && {
      name: 'publish',
      label: isPaused ? 'Make Active' : 'Publish Item',
      icon: Upload,
      effect: isPaused ? () => onAvailability('yes') : () => onStatus('published'),
    },
  ];
  return actions.filter((action) => action !== false);
};

/** Returns the label of an action's button on phones, as short as possible. */
const toShortLabel = ({ name, label }: OwnListingAction): ReactNode => {
  if (name === 'publish' && label === 'Publish Item')
    return (
      <>
        Publish<span className="sr-only"> Item</span>
      </>
    );
  if (name !== 'sell') return label;
  const [before = '', after = ''] = label.split(/(?<=^Mark as )/);
  return (
    <>
      <span className="sr-only">{before}</span>
      {after}
    </>
  );
};

/** The actions on phones: one button, and a menu with the others. */
export function OwnListingRowActions(props: OwnListingActionsProps) {
  const { title } = props;
  const actions = listActions(props);
  const find = (name: OwnListingAction['name']) => actions.find((action) => action.name === name);
  // The answers to the question whether a listing is still available contain Sold.
  const sell = props.listing.asked_at ? undefined : find('sell');
  const main = find('publish') ?? sell ?? find('relist') ?? find('copy') ?? find('edit');
  return (
    <div className="-mr-2 ml-auto flex items-center md:hidden">
      {main && (
        <ActionButton
          action={main}
          label={toShortLabel(main)}
          title={title}
          variant={main.name === 'publish' ? 'primary' : 'secondary'}
          className="px-3!"
        />
      )}
      <DropdownMenu
        trigger={
          <IconButton label={`More actions for ${title}`}>
            <EllipsisVertical aria-hidden="true" />
          </IconButton>
        }
      >
        {actions
          .filter((action) => action !== main)
          .map((action) => (
            <ActionItem key={action.name} action={action} />
          ))}
        <MenuItem icon={<ListChecks aria-hidden="true" />} onSelect={props.onSelect}>
          Select
        </MenuItem>
      </DropdownMenu>
    </div>
  );
}

function ActionItem({ action: { label, icon: Icon, effect } }: { action: OwnListingAction }) {
  if (typeof effect === 'function') {
    return (
      <MenuItem icon={<Icon aria-hidden="true" />} onSelect={effect}>
        {label}
      </MenuItem>
    );
  }
  return (
    <MenuItem asChild>
      <Link to={effect}>
        <Icon aria-hidden="true" />
        <span>{label}</span>
      </Link>
    </MenuItem>
  );
}

/**
 * Button props for actions whose buttons are not ordinary secondary buttons on wide screens. Delete is
 * never the most prominent button.
 */
const cardButtons: Partial<Record<OwnListingAction['name'], Pick<ButtonProps, 'variant' | 'className'>>> = {
  draft: { variant: 'ghost' },
  delete: { variant: 'ghost' },
  publish: { variant: 'primary', className: 'col-span-2' },
};

/** The actions on wider screens: one button each. */
export function OwnListingCardActions(props: OwnListingActionsProps) {
  return (
    <div className="mt-auto grid grid-cols-2 gap-2 p-4 max-md:hidden">
      {listActions(props).map((action) => (
        <ActionButton
          key={action.name}
          action={action}
          title={props.title}
          hasIcon={action.name === 'edit' || action.name === 'delete'}
          {...cardButtons[action.name]}
          {...(action.name === 'sell' && props.listing.category === 'rentals'
            ? { className: 'col-span-2' }
            : {})}
        />
      ))}
    </div>
  );
}

interface ActionButtonProps extends Pick<ButtonProps, 'variant' | 'className'> {
  action: OwnListingAction;
  /** Displayed instead of the action's own label. */
  label?: ReactNode;
  /** The title of the listing, which is added to the label for screen readers. */
  title: string;
  hasIcon?: boolean;
}

function ActionButton({
  action,
  label = action.label,
  title,
  hasIcon,
  variant = 'secondary',
  className,
}: ActionButtonProps) {
  const { icon: Icon, effect } = action;
  const icon = hasIcon && <Icon aria-hidden="true" className="size-4" />;
  const text = (
    <span>
      {label}
      <span className="sr-only">{` ${title}`}</span>
    </span>
  );
  if (typeof effect === 'function') {
    return (
      <Button variant={variant} size="sm" className={className} icon={icon} onClick={effect}>
        {text}
      </Button>
    );
  }
  return (
    <Button variant={variant} size="sm" className={className} asChild>
      <Link to={effect}>
        {icon}
        <span>{text}</span>
      </Link>
    </Button>
  );
}
