import { clsx } from 'clsx';
import { House, LayoutGrid, MessageCircle, Plus, UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { links } from '#web/lib/links.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { CountBadge } from '#web/ui/badge.tsx';
import type { SessionState } from './session-state.ts';

export interface SiteNavigationProps {
  session: SessionState;
  /** Unread messages in all conversations. */
  unreadCount: number;
}

/**
 * The main navigation: a row below the header, or on phones a bar at the bottom of the window (the
 * `bottom-bar` utility in app.css). Some links are shown on phones only, others on wide screens only.
 */
export function SiteNavigation({ session, unreadCount }: SiteNavigationProps) {
  const { isAuthenticated, loading, name = 'User', avatarUrl } = session;
  const isSignedOut = !loading && !isAuthenticated;
  return (
    <nav aria-label="Main" className="bottom-bar border-line bg-surface">
      <ul className="page-gutters flex max-md:px-0!">
        <NavigationItem to={links.home} icon={<House />}>
          Home
        </NavigationItem>
        <NavigationItem to={links.category('game-day')}>Game Day</NavigationItem>
        <NavigationItem to={links.category('merchandise')}>Merchandise</NavigationItem>
        <NavigationItem to={links.category('rentals')}>Rentals</NavigationItem>
        <NavigationItem to={links.myListings}>My Listings</NavigationItem>
        <NavigationItem
          phoneOnly
          to={links.browse}
          section={/^\/(category|listing|product|search|saved)\b/}
          icon={<LayoutGrid />}
        >
          Browse
        </NavigationItem>
        <NavigationItem
          phoneOnly
          to={links.postAd}
          icon={<Plus className="rounded-full bg-brand p-1 text-on-brand" />}
        >
          Post
        </NavigationItem>
        <NavigationItem
          phoneOnly={!isAuthenticated}
          to={links.messages}
          icon={<MessageCircle />}
          badge={
            <>
              <CountBadge
                count={unreadCount}
                className="short:static short:ml-0 max-md:absolute max-md:top-1 max-md:left-1/2 max-md:ml-1"
              />
              {unreadCount > 0 && <span className="sr-only">unread</span>}
            </>
          }
        >
          Messages
        </NavigationItem>
        {isSignedOut ? (
          <NavigationItem phoneOnly to={links.login} icon={<UserRound />}>
            Log In
          </NavigationItem>
        ) : (
          <NavigationItem
            phoneOnly
            to={links.profile}
            section={/^\/(profile|my-listings)\b/}
            icon={
              isAuthenticated ? (
                <Avatar name={name} src={avatarUrl} pending={avatarUrl === undefined} size="xs" />
              ) : (
                <UserRound />
              )
            }
          >
            Profile
          </NavigationItem>
        )}
      </ul>
    </nav>
  );
}

interface ItemProps {
  to: string;
  /** The link's icon on phones. A link without an icon is shown on wide screens only. */
  icon?: ReactNode;
  phoneOnly?: boolean | undefined;
  /** Matches the paths of other screens on which the link is also marked as current. */
  section?: RegExp | undefined;
  badge?: ReactNode;
  children: ReactNode;
}

function NavigationItem({ to, icon, phoneOnly, section, badge, children }: ItemProps) {
  const { pathname } = useLocation();
  const isCurrentSection = section?.test(pathname);
  return (
    <li
      className={clsx(
        'min-w-0 max-md:flex-1 md:first:-ml-4',
        phoneOnly ? 'md:hidden' : !icon && 'max-md:hidden',
      )}
    >
      <Link
        to={to}
        prefetch="intent"
        aria-current={pathname === to ? 'page' : isCurrentSection ? 'true' : undefined}
        className="relative flex short:min-h-11 min-h-14 short:flex-row short:gap-2 items-center whitespace-nowrap font-semibold text-ink-muted -outline-offset-3 transition-colors after:absolute after:inset-x-4 after:h-1 hover:text-ink aria-[current]:text-brand-text aria-[current]:after:bg-gold max-md:flex-col max-md:justify-center max-md:gap-0.5 max-md:text-[min(0.8125rem,4vw)] max-md:leading-snug max-md:after:top-0 max-md:after:rounded-b-sm md:min-h-12 md:gap-2 md:px-4 md:text-sm md:after:bottom-0 md:after:rounded-t-sm"
      >
        {icon && (
          <span aria-hidden="true" className="grid size-6 place-items-center md:hidden [&>svg]:size-6">
            {icon}
          </span>
        )}
        <span className="max-w-full truncate">{children}</span>
        {badge}
      </Link>
    </li>
  );
}
