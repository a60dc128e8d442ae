import { Bell } from 'lucide-react';
import { links } from '#web/lib/links.ts';
import { UnreadCountLink } from './count-link.tsx';

/** The link to the notifications, with the number of unread ones. */
export function NotificationBell({ count }: { count: number }) {
  return (
    <UnreadCountLink
      to={links.notifications}
      name="Notifications"
      icon={<Bell aria-hidden="true" />}
      count={count}
    />
  );
}
