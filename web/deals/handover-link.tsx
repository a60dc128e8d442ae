import { clsx } from 'clsx';
import { CalendarClock } from 'lucide-react';
import { Link } from 'react-router';
import type { Deal } from '#contract/deals.ts';
import { deletedUserName } from '#contract/deleted-user.ts';
import { links } from '#web/lib/links.ts';
import { Price } from '#web/ui/price.tsx';
import type { Handover } from './use-handovers.ts';

export interface HandoverLinkProps {
  handover: Handover;
  /** The formatted time of the handover. */
  time: string;
  /** Whether time and place take at most two lines, and the rest one. */
  isShort?: boolean;
}

/** Returns the total price, or null when there is none or money goes both ways. */
const getTotalPrice = (deals: readonly Deal[]): number | null => {
  const prices = deals.map(({ price }) => price).filter((price) => price !== null);
  const isOneWay = new Set(deals.map(({ buyer_id: buyer }) => buyer)).size === 1;
  return isOneWay && prices.length > 0 ? prices.reduce((sum, price) => sum + price, 0) : null;
};

/** When and where the person meets whom for which items. Leads to the conversation about the first one. */
export function HandoverLink({ handover, time, isShort = false }: HandoverLinkProps) {
  const { deals, place, landmark } = handover;
  const [{ conversation_id: conversationId, other }] = deals;
  const price = getTotalPrice(deals);
  return (
    <Link
      to={links.conversation(conversationId)}
      className="flex min-h-15 min-w-0 flex-1 items-center gap-3 px-4 py-2 -outline-offset-3 transition-colors hover:bg-hover"
    >
      <CalendarClock aria-hidden="true" className="size-6 shrink-0 text-brand-text" />
      <span className="min-w-0 flex-1">
        <span
          data-shortened
          className={clsx('break-words font-bold leading-snug', isShort ? 'line-clamp-2' : 'block')}
        >
          <time dateTime={handover.time}>{time}</time>
          <span> · </span>
          <bdi>{place}</bdi>
          {landmark && (
            <span className="font-normal">
              <span>, </span>
              <bdi>{landmark}</bdi>
            </span>
          )}
        </span>
        <span className="flex items-end gap-1 text-ink-muted text-sm leading-snug">
          <span data-shortened className={clsx('min-w-0', isShort ? 'truncate' : 'break-words')}>
            <bdi>{other?.name ?? deletedUserName}</bdi>
            <span>{deals.length > 1 ? ` · ${deals.length} items: ` : ' · '}</span>
            {deals.map(({ id, title }, index) => (
              <span key={id}>
                {index > 0 && <span>, </span>}
                <bdi>{title}</bdi>
              </span>
            ))}
          </span>
          {price !== null && <Price amount={price} className="text-ink" />}
        </span>
      </span>
    </Link>
  );
}
