import { Megaphone } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { AnnouncementSchedule } from '#contract/announcements.ts';

/** Maximum delay of a timer in milliseconds; browsers run timers with longer delays immediately. */
const maxTimerMs = 2 ** 31 - 1;

/** Displays an administrator's announcement at the top of the page until the announcement ends. */
export function AnnouncementBanner({
  announcement: { text, ends_at: endsAt },
}: {
  announcement: NonNullable<AnnouncementSchedule['current']>;
}) {
  const [hasEnded, setHasEnded] = useState(false);
  useEffect(() => {
    const remaining = new Date(endsAt).getTime() - Date.now();
    if (remaining > maxTimerMs) return;
    const timer = setTimeout(() => setHasEnded(true), remaining);
    return () => clearTimeout(timer);
  }, [endsAt]);
  if (hasEnded) return null;
  return (
    // Screens that fill the window find the banner by the attribute `data-announcement` to subtract its height.
    <aside data-announcement aria-label="Announcement" className="bg-gold-soft text-gold-text">
      <p className="mx-auto flex max-w-7xl items-start gap-3 px-4 py-2.5 font-semibold text-sm sm:px-6">
        <Megaphone aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
        <span dir="auto" className="min-w-0 wrap-break-word">
          {text}
        </span>
      </p>
    </aside>
  );
}
