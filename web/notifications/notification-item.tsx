import { clsx } from 'clsx';
import {
  Bookmark,
  CircleHelp,
  Heart,
  type LucideIcon,
  MessageCircle,
  ShieldAlert,
  ShieldCheck,
  Star,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Notification, NotificationKind } from '#contract/notifications.ts';
import { formatAge } from '#web/lib/format.ts';

const icons: Record<NotificationKind, LucideIcon> = {
  messages: MessageCircle,
  deals: MessageCircle,
  availability: CircleHelp,
  reviews: Star,
  saved_listings: Heart,
  saved_searches: Bookmark,
  moderation: ShieldAlert,
  security: ShieldCheck,
};

/** Notifications that say why something was decided or what to do at their end, and so are never cut off. */
const uncutKinds: readonly NotificationKind[] = ['moderation', 'security'];

export interface NotificationItemProps {
  notification: Notification;
  onOpen: () => void;
  /** The listings that a notification about availability asks about, instead of its text. */
  children?: ReactNode;
}

/** A notification that links to the page it is about. */
export function NotificationItem({
  notification: { kind, title, text, path, read_at, created_at },
  onOpen,
  children,
}: NotificationItemProps) {
  const Icon = icons[kind];
  const isUnread = read_at === null;
  return (
    <div
      className={clsx(
        'relative flex min-h-16 items-start gap-3 px-4 py-3 -outline-offset-3 transition-colors hover:bg-hover has-focus-visible:outline-3 has-focus-visible:outline-focus',
        isUnread && 'bg-brand-soft',
      )}
    >
      <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-brand-text" />
      <div className="min-w-0 flex-1">
        <Link
          to={path}
          onClick={onOpen}
          // Only the title is the link element, because toasts must not cover links and would otherwise
          // find no room beside the list. A tap anywhere on the item still opens the link.
          className={clsx(
            'wrap-anywhere outline-none after:absolute after:inset-0',
            isUnread ? 'font-bold' : 'font-semibold',
          )}
        >
          {isUnread && <span className="sr-only">Unread: </span>}
          <span>{title}</span>
        </Link>
        {children ?? (
          <p
            data-shortened
            className={clsx(
              'wrap-anywhere text-ink-muted text-sm',
              !uncutKinds.includes(kind) && 'line-clamp-2',
            )}
          >
            {text}
          </p>
        )}
      </div>
      <time dateTime={created_at} className="shrink-0 whitespace-nowrap text-ink-muted text-xs">
        {formatAge(created_at, new Date())}
      </time>
    </div>
  );
}
