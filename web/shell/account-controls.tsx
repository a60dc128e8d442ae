import { MessageCircle, Plus } from 'lucide-react';
import { Link } from 'react-router';
import { links } from '#web/lib/links.ts';
import { Button } from '#web/ui/button.tsx';
import { UnreadCountLink } from './count-link.tsx';
import { NotificationBell } from './notification-bell.tsx';
import { UserMenu, type UserMenuProps } from './user-menu.tsx';

export interface AccountControlsProps extends UserMenuProps {
  /** Unread messages in all conversations. */
  unreadCount: number;
  notificationCount: number;
}

/**
 * The controls for signed-in people in the header of a wide window: Post Item, links to messages and
 * notifications with their unread counts, and the account menu.
 */
export function AccountControls({ unreadCount, notificationCount, ...menu }: AccountControlsProps) {
  return (
    <>
      <Button size="sm" asChild className="whitespace-nowrap">
        <Link to={links.postAd}>
          <Plus aria-hidden="true" className="size-5" />
          Post Item
        </Link>
      </Button>
      <UnreadCountLink
        to={links.messages}
        name="Messages"
        icon={<MessageCircle aria-hidden="true" />}
        count={unreadCount}
      />
      <NotificationBell count={notificationCount} />
      <UserMenu {...menu} />
    </>
  );
}
