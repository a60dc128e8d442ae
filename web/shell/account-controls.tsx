import { MessageCircle, Plus } from 'lucide-react';
import { Link } from 'react-router';
import { links } from '#web/lib/links.ts';
import { CountBadge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { NotificationBell } from './notification-bell.tsx';
import { UserMenu, type UserMenuProps } from './user-menu.tsx';

export interface AccountControlsProps extends UserMenuProps {
  /** Unread messages in all conversations. */
  unreadCount: number;
  notificationCount: number;
}

/** The signed-in person's controls in the header of a wide window: Post Item, messages and notifications with their unread counts, menu. */
export function AccountControls({ unreadCount, notificationCount, ...menu }: AccountControlsProps) {
  return (
    <>
      <Button size="sm" asChild className="whitespace-nowrap">
        <Link to={links.postAd}>
          <Plus aria-hidden="true" className="size-5" />
          Post Item
        </Link>
      </Button>
      <IconButton
        label={unreadCount > 0 ? `Messages, ${unreadCount} unread` : 'Messages'}
        asChild
        className="relative"
      >
        <Link to={links.messages}>
          <MessageCircle aria-hidden="true" />
          <CountBadge count={unreadCount} className="absolute top-0 left-6" />
        </Link>
      </IconButton>
      <NotificationBell count={notificationCount} />
      <UserMenu {...menu} />
    </>
  );
}
