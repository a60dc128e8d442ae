import { Bell } from 'lucide-react';
import { links } from '#web/lib/links.ts';
import { UnreadCountLink } from './count-link.tsx';

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
