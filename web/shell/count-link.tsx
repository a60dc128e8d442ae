import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { CountBadge } from '#web/ui/badge.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';

export interface UnreadCountLinkProps {
  to: string;
  name: string;
  icon: ReactNode;
  /** The number of unread items on the linked screen. */
  count: number;
}

/** An icon link in the header with a count of unread items. */
export function UnreadCountLink({ to, name, icon, count }: UnreadCountLinkProps) {
  return (
    <IconButton label={count > 0 ? `${name}, ${count} unread` : name} asChild className="relative">
      <Link to={to}>
        {icon}
        <CountBadge count={count} className="absolute top-0 right-0" />
      </Link>
    </IconButton>
  );
}
