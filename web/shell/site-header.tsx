import { Link } from 'react-router';
import { links } from '#web/lib/links.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import type { AccountControlsProps } from './account-controls.tsx';
import { Logo } from './logo.tsx';
import { NotificationBell } from './notification-bell.tsx';
import { SearchForm } from './search-form.tsx';
import type { SessionState } from './session-state.ts';

/**
 * Shown instead of the account controls if their script cannot be loaded: the avatar, which links to the
 * profile.
 */
function ProfileLink({ name, avatarUrl }: AccountControlsProps) {
  return (
    <Link to={links.profile} className="rounded-full">
      <Avatar
        name={name}
        src={avatarUrl}
        pending={avatarUrl === undefined}
        alt="Profile"
        className="block!"
      />
    </Link>
  );
}

/** Waits until the window is wide enough to show the account controls, so that phones never load their script. */
const waitForWideWindow = (): Promise<unknown> => {
  const query = window.matchMedia('(min-width: 48rem)');
  return new Promise((resolve) => {
    if (query.matches) resolve(query);
    else query.addEventListener('change', resolve, { once: true });
  });
};

function AccountControlsPlaceholder() {
  return (
    <>
      <Skeleton className="h-10 w-24" />
      <Skeleton shape="circle" className="size-11" />
    </>
  );
}

const AccountControls = lazyComponent(
  async () => {
    await waitForWideWindow();
    return (await import('./account-controls.tsx')).AccountControls;
  },
  { placeholder: AccountControlsPlaceholder, failed: ProfileLink },
);

export interface SiteHeaderProps {
  siteName: string;
  session: SessionState;
  /** Unread messages in all conversations. */
  unreadCount: number;
  notificationCount: number;
  onLogout: () => void;
}

/**
 * The header with the logo, the search box and, in a wide window, the account controls. On phones, the bottom
 * bar replaces the account controls. The header stays in view while the page scrolls, so that the unread
 * count remains visible. In short windows, the header scrolls away and the bottom bar shows the unread count.
 */
export function SiteHeader({ siteName, session, unreadCount, notificationCount, onLogout }: SiteHeaderProps) {
  const { loading, isAuthenticated, name = 'User', avatarUrl, mayModerate } = session;
  return (
    <header
      data-site-header
      className="short:static sticky top-bar z-40 border-line border-b bg-paper/95 backdrop-blur-sm before:block before:h-1 before:bg-brand"
    >
      <div className="page-gutters flex h-14 items-center gap-2.5 md:h-16 md:gap-5">
        <Link to={links.home} className="flex min-h-11 shrink-0 items-center gap-2.5">
          <Logo className="size-10 md:size-9" />
          <span className="font-extrabold text-2xl max-sm:sr-only">{siteName}</span>
        </Link>
        <SearchForm className="mx-auto w-full max-w-xl" />
        {isAuthenticated && (
          <div className="-mr-2 md:hidden">
            <NotificationBell count={notificationCount} />
          </div>
        )}
        <div className="flex items-center gap-3 max-md:hidden md:min-w-72 md:shrink-0 md:justify-end">
          {loading ? (
            <AccountControlsPlaceholder />
          ) : isAuthenticated ? (
            <AccountControls
              name={name}
              avatarUrl={avatarUrl}
              mayModerate={mayModerate}
              unreadCount={unreadCount}
              notificationCount={notificationCount}
              onLogout={onLogout}
            />
          ) : (
            <>
              <Button variant="ghost" size="sm" asChild>
                <Link to={links.login}>Login</Link>
              </Button>
              <Button size="sm" asChild>
                <Link to={links.signup}>Sign Up</Link>
              </Button>
            </>
          )}
        </div>
      </div>
    </header>
  );
}
