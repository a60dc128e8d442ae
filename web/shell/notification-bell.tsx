import { Bell } from 'lucide-react';
import { Link } from 'react-router';
import { links } from '#web/lib/links.ts';
import { CountBadge } from '#web/ui/badge.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';

/** The link to the notifications, with the number of unread ones. */
export function NotificationBell({ count }: { count: number }) {
  return (
    <IconButton
      label={count > 0 ? `Notifications, ${count} unread` : 'Notifications'}
      asChild
      className="relative"
    >
      <Link to={links.notifications}>
        <Bell aria-hidden="true" />
        <CountBadge count={count} className="absolute top-0 left-6" />
      </Link>
    </IconButton>
  );
}
