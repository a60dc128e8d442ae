import { clsx } from 'clsx';
import { CalendarClock } from 'lucide-react';
import { Link } from 'react-router';
import { deletedUserName } from '#contract/deleted-user.ts';
import { links } from '#web/lib/links.ts';
import { Price } from '#web/ui/price.tsx';
import type { Handover } from './use-handovers.ts';

export interface HandoverLinkProps {
  handover: Handover;
  /** The formatted time of the handover. */
  time: string;
  /** Whether time and place take at most two lines. */
  isShort?: boolean;
}

/** When and where the person meets whom for which item. Leads to the conversation. */
export function HandoverLink({ handover, time, isShort = false }: HandoverLinkProps) {
  const { deal, place, landmark } = handover;
  return (
    <Link
      to={links.conversation(deal.conversation_id)}
      className="flex min-h-15 min-w-0 flex-1 items-center gap-3 px-4 py-2 -outline-offset-3 transition-colors hover:bg-hover"
    >
      <CalendarClock aria-hidden="true" className="size-6 shrink-0 text-brand-text" />
      <span className="min-w-0 flex-1">
        <span className={clsx('break-words font-bold leading-snug', isShort ? 'line-clamp-2' : 'block')}>
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
        <span className="flex gap-1 text-ink-muted text-sm leading-snug">
          <span className="min-w-0 truncate">
            <bdi>{deal.other?.name ?? deletedUserName}</bdi>
            <span> · </span>
            <bdi>{deal.title}</bdi>
          </span>
          {deal.price !== null && <Price amount={deal.price} className="text-ink" />}
        </span>
      </span>
    </Link>
  );
}
