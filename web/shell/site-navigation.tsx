import { type ReactNode, useEffect, useRef } from 'react';
import { NavLink, useLocation } from 'react-router';
import { links } from '#web/lib/links.ts';
import { CountBadge } from '#web/ui/badge.tsx';
import type { SessionState } from './session-state.ts';

export interface SiteNavigationProps {
  session: Pick<SessionState, 'isAuthenticated'>;
  /** Unread messages in all conversations. */
  unreadCount: number;
}

const destinations = [
  { to: links.home, label: 'Home' },
  { to: links.category('game-day'), label: 'Game Day' },
  { to: links.category('merchandise'), label: 'Merchandise' },
  { to: links.category('rentals'), label: 'Rentals' },
  { to: links.myListings, label: 'My Listings' },
];

/**
 * The navigation bar below the header; on phones one row that scrolls sideways. Messages is the last link, so that the
 * others do not move when it appears after log-in.
 */
export function SiteNavigation({ session, unreadCount }: SiteNavigationProps) {
  const list = useRef<HTMLUListElement>(null);
  const { pathname } = useLocation();

  // biome-ignore lint/correctness/useExhaustiveDependencies: every navigation scrolls its link into view
  useEffect(() => {
    const link = list.current?.querySelector<HTMLElement>('[aria-current="page"]');
    if (list.current && link) {
      list.current.scrollLeft = link.offsetLeft - (list.current.clientWidth - link.offsetWidth) / 2;
    }
  }, [pathname, session.isAuthenticated, unreadCount]);

  return (
    <nav aria-label="Main" className="border-line border-b bg-surface">
      <ul ref={list} className="page-gutters scroll-row relative max-md:px-1">
        {destinations.map((destination) => (
          <li key={destination.to} className="md:first:-ml-4">
            <NavigationLink to={destination.to}>{destination.label}</NavigationLink>
          </li>
        ))}
        {session.isAuthenticated && (
          <li>
            <NavigationLink to={links.messages}>
              Messages
              <CountBadge count={unreadCount} />
              {unreadCount > 0 && <span className="sr-only">unread</span>}
            </NavigationLink>
          </li>
        )}
      </ul>
    </nav>
  );
}

function NavigationLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <NavLink
      to={to}
      end={to === links.home}
      prefetch="intent"
      className="relative flex min-h-12 items-center gap-2 whitespace-nowrap px-3 font-semibold text-ink-muted text-sm -outline-offset-3 transition-colors after:absolute after:inset-x-3 after:bottom-0 after:h-1 after:rounded-t-sm hover:text-ink aria-[current=page]:text-brand-text aria-[current=page]:after:bg-gold md:px-4 md:after:inset-x-4"
    >
      {children}
    </NavLink>
  );
}
