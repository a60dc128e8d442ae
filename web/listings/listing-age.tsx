import { use } from 'react';
import { ageText } from '#web/lib/format.ts';
import { RenderTime } from '#web/lib/render-time.ts';

/**
 * Shows how long ago a listing was posted. The server renders the text and caches the page for at most a minute;
 * hydration keeps that text even if the browser's clock would give a different one.
 */
export function ListingAge({ since }: { since: string }) {
  const now = use(RenderTime) ?? new Date();
  return (
    <time dateTime={since} suppressHydrationWarning>
      {ageText(since, now)}
    </time>
  );
}
