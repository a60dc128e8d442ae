import type { RefObject } from 'react';
import { Link } from 'react-router';
import type { Conversation } from '#contract/conversations.ts';
import { links } from '#web/lib/links.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { VerifiedBadge } from '#web/ui/badge.tsx';
import { Price } from '#web/ui/price.tsx';
import { BackToConversations } from './back-to-conversations.tsx';
import { getOtherParty } from './other-party.ts';

export interface ThreadHeaderProps {
  conversation: Conversation;
  /** The heading, which takes the focus. */
  title: RefObject<HTMLHeadingElement | null>;
}

/** Shows the other party and the listing of a thread; on phones it also has a back link to the list. */
export function ThreadHeader({ conversation, title }: ThreadHeaderProps) {
  const { listing } = conversation;
  const { name, avatarUrl, verified } = getOtherParty(conversation);
  return (
    <header className="flex items-center gap-2 border-line border-b py-2.5 pr-4 pl-1 md:gap-3 md:px-5">
      <BackToConversations />
      <Avatar name={name} src={avatarUrl} />
      <div className="min-w-0 flex-1">
        <h2 ref={title} tabIndex={-1} className="flex items-center gap-1.5 font-bold outline-none">
          <bdi className="truncate">{name}</bdi>
          {verified && <VerifiedBadge compact />}
        </h2>
        <p className="flex items-baseline gap-2 text-sm">
          {listing.available && listing.slug ? (
            <Link
              to={links.listing(listing.slug)}
              className="min-w-0 truncate text-ink-muted underline decoration-line-strong underline-offset-3 hover:text-ink"
            >
              {listing.title}
            </Link>
          ) : (
            <span className="min-w-0 truncate text-ink-muted">
              <bdi>{listing.title}</bdi> (no longer available)
            </span>
          )}
          {listing.available && listing.price !== null && <Price amount={listing.price} />}
        </p>
      </div>
    </header>
  );
}
