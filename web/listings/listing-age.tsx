import { use } from 'react';
import { ageText } from '#web/lib/format.ts';
import { RenderTime } from '#web/lib/render-time.ts';

/**
 * How long ago a listing was posted. The server writes it into the page, which it caches for a minute at most; hydration
 * keeps that text, even when the browser's clock says something else.
 */
export function ListingAge({ since }: { since: string }) {
  const now = use(RenderTime) ?? new Date();
  return (
    <time dateTime={since} suppressHydrationWarning>
      {ageText(since, now)}
    </time>
  );
}
