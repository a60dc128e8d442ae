import type { RefObject } from 'react';
import { Link } from 'react-router';
import { formatSellerAway } from '#contract/away.ts';
import { toCampusDay } from '#contract/campus.ts';
import type { ActivityLevel, Conversation } from '#contract/conversations.ts';
import { formatPriceUnit, saleOutcomeLabels, unavailableLabels } from '#contract/selling.ts';
import { links } from '#web/lib/links.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Badge, VerifiedBadge } from '#web/ui/badge.tsx';
import { Price } from '#web/ui/price.tsx';
import { Rating } from '#web/ui/rating.tsx';
import { BackToConversationsLink } from './back-to-conversations.tsx';
import { getOtherParty } from './other-party.ts';
import { ThreadMenu } from './thread-menu.tsx';

const activityLabels: Record<ActivityLevel, string> = { today: 'Active today', week: 'Active this week' };

export interface ThreadHeaderProps {
  conversation: Conversation;
  ownId: string;
  /** Ref to the heading, which receives the focus when the thread opens. */
  title: RefObject<HTMLHeadingElement | null>;
}

/** Shows the other party and the listing of a thread and, on phones, a link back to the list. */
export function ThreadHeader({ conversation, ownId, title }: ThreadHeaderProps) {
  const { listing } = conversation;
  const { outcome, unavailable, away_until: until } = listing;
  const isAway = unavailable === 'away';
  const label = outcome
    ? saleOutcomeLabels[outcome]
    : unavailable && !isAway && unavailableLabels[unavailable];
  const campus = useCampus();
  const today = toCampusDay(campus, new Date());
  const awayUntil = isAway && conversation.buyer_id === ownId && until && until > today ? until : undefined;
  const { id, name, avatarUrl, verified, rating, reviewCount, active } = getOtherParty(conversation);
  return (
    <header className="flex items-center gap-2 border-line border-b py-2.5 pr-1 pl-1 md:gap-3 md:pr-3 md:pl-5">
      <BackToConversationsLink />
      <Avatar name={name} src={avatarUrl} />
      <div className="min-w-0 flex-1">
        <h2
          ref={title}
          tabIndex={-1}
          className="flex flex-wrap items-center gap-x-1.5 font-bold outline-none"
        >
          {id ? (
            <Link
              to={links.user(id)}
              className="max-w-fit flex-1 basis-[6rem] truncate underline-offset-3 hover:underline"
            >
              <bdi>{name}</bdi>
            </Link>
          ) : (
            <bdi className="max-w-fit flex-1 basis-[6rem] truncate">{name}</bdi>
          )}
          {verified && <VerifiedBadge compact />}
          <Rating value={rating} count={reviewCount} compact className="font-normal text-sm" />
        </h2>
        <p className="flex flex-wrap items-baseline gap-x-2 text-sm">
          {listing.slug ? (
            <Link
              to={links.listing(listing.slug)}
              className="max-w-fit flex-1 basis-[6rem] truncate text-ink-muted leading-relaxed underline decoration-line-strong underline-offset-3 hover:text-ink"
            >
              <bdi>{listing.title}</bdi>
            </Link>
          ) : (
            <span className="max-w-fit flex-1 basis-[6rem] truncate text-ink-muted">
              <bdi>{listing.title}</bdi> (no longer available)
            </span>
          )}
          {label ? (
            <Badge tone="gold" className="self-center">
              {label}
            </Badge>
          ) : (
            listing.price !== null && (
              <Price
                amount={listing.price}
                unit={listing.rental_period ? formatPriceUnit(listing.rental_period) : undefined}
                className="whitespace-nowrap"
              />
            )
          )}
        </p>
        {active && !awayUntil && <p className="text-ink-muted text-xs">{activityLabels[active]}</p>}
        {awayUntil && <p className="text-gold-text text-sm">{formatSellerAway(awayUntil, campus)}</p>}
      </div>
      <ThreadMenu conversation={conversation} other={id ? { id, name } : undefined} ownId={ownId} />
    </header>
  );
}
