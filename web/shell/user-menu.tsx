import { Heart, LogOut, MessageCircle, ShieldCheck, Tag, UserRound } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import { Link } from 'react-router';
import { links } from '#web/lib/links.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { DropdownMenu, MenuHeader, MenuItem, MenuSeparator } from '#web/ui/dropdown-menu.tsx';

export interface UserMenuProps {
  name: string;
  avatarUrl?: string | null | undefined;
  /** Whether the menu contains a link to the console. */
  mayModerate?: boolean | undefined;
  onLogout: () => void;
}

export function UserMenu({ name, avatarUrl, mayModerate = false, onLogout }: UserMenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  // Logging out removes this menu. If the menu has the focus, the focus moves to the page's heading.
  useLayoutEffect(() => {
    const menuButton = button.current;
    return () => {
      if (menuButton === document.activeElement) document.querySelector('h1')?.focus();
    };
  }, []);
  return (
    <DropdownMenu
      trigger={
        <button ref={button} type="button" className="rounded-full">
          <Avatar
            name={name}
            src={avatarUrl}
            pending={avatarUrl === undefined}
            alt={`Account menu of ${name}`}
            className="block!"
          />
        </button>
      }
    >
      <MenuHeader>
        <span dir="auto" className="block truncate font-bold">
          {name}
        </span>
      </MenuHeader>
      <MenuSeparator />
      <MenuItem asChild>
        <Link to={links.profile}>
          <UserRound aria-hidden="true" />
          Profile
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link to={links.myListings}>
          <Tag aria-hidden="true" />
          My Listings
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link to={links.saved}>
          <Heart aria-hidden="true" />
          Saved
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link to={links.messages}>
          <MessageCircle aria-hidden="true" />
          Messages
        </Link>
      </MenuItem>
      {mayModerate && (
        <MenuItem asChild>
          <Link to={links.moderation}>
            <ShieldCheck aria-hidden="true" />
            Moderation
          </Link>
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuItem icon={<LogOut aria-hidden="true" />} onSelect={onLogout}>
        Logout
      </MenuItem>
    </DropdownMenu>
  );
}
