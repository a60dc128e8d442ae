import { Plus, Search } from 'lucide-react';
import { Suspense } from 'react';
import { Link } from 'react-router';
import { links } from '#web/lib/links.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { lazyWithFallback } from '#web/ui/lazy-with-fallback.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Logo } from './logo.tsx';
import { SearchForm } from './search-form.tsx';
import type { SessionState } from './session-state.ts';
import type { UserMenuProps } from './user-menu.tsx';

/** The fallback if the user menu's script cannot be loaded: the avatar links to the profile. */
function ProfileLink({ name, avatarUrl }: UserMenuProps) {
  return (
    <Link to={links.profile} className="rounded-full">
      <Avatar name={name} src={avatarUrl} alt="Profile" className="block!" />
    </Link>
  );
}

const UserMenu = lazyWithFallback(async () => (await import('./user-menu.tsx')).UserMenu, ProfileLink);

export interface SiteHeaderProps {
  siteName: string;
  session: SessionState;
  onLogout: () => void;
}

export function SiteHeader({ siteName, session, onLogout }: SiteHeaderProps) {
  return (
    <header className="sticky top-bar z-40 border-line border-b bg-paper/95 backdrop-blur-sm before:block before:h-1 before:bg-brand">
      <div className="page-gutters flex h-16 items-center gap-2 md:gap-5">
        <Link to={links.home} className="flex min-h-11 items-center gap-2.5">
          <Logo className="size-9" />
          <span className="font-extrabold text-2xl">{siteName}</span>
        </Link>
        <SearchForm className="mx-auto hidden w-full max-w-xl md:block" />
        <div className="ml-auto flex items-center gap-1 md:ml-0 md:min-w-56 md:justify-end md:gap-3">
          <IconButton label="Search" asChild className="md:hidden">
            <Link to={links.search()}>
              <Search aria-hidden="true" />
            </Link>
          </IconButton>
          <AccountControls session={session} onLogout={onLogout} />
        </div>
      </div>
    </header>
  );
}

function AccountControls({ session, onLogout }: Omit<SiteHeaderProps, 'siteName'>) {
  if (session.loading) {
    return (
      <div className="flex h-11 w-40 items-center justify-end gap-3 md:w-52">
        <Skeleton className="h-10 w-24" />
        <Skeleton shape="circle" className="size-11" />
      </div>
    );
  }
  if (!session.isAuthenticated) {
    return (
      <>
        <Button variant="ghost" size="sm" asChild>
          <Link to={links.login}>Login</Link>
        </Button>
        <Button size="sm" asChild>
          <Link to={links.signup}>Sign Up</Link>
        </Button>
      </>
    );
  }
  const name = session.name ?? 'User';
  return (
    <>
      <Button size="sm" asChild className="whitespace-nowrap max-sm:px-3">
        <Link to={links.postAd}>
          <Plus aria-hidden="true" className="size-5" />
          <span className="max-sm:sr-only">Post Item</span>
        </Link>
      </Button>
      <Suspense fallback={<Avatar name={name} src={session.avatarUrl} />}>
        <UserMenu name={name} avatarUrl={session.avatarUrl} onLogout={onLogout} />
      </Suspense>
    </>
  );
}
