import { use } from 'react';
import { formatAge } from '#web/lib/format.ts';
import { RenderTimeContext } from '#web/lib/server-rendering.ts';

/**
 * Shows how long ago a listing was posted. The server renders the text, and the page may then stay in a
 * cache for up to a minute. Hydration keeps the server's text even if the browser's clock would give a
 * different one.
 */
export function ListingAge({ since }: { since: string }) {
  const now = use(RenderTimeContext) ?? new Date();
  return (
    <time dateTime={since} suppressHydrationWarning>
      {formatAge(since, now)}
    </time>
  );
}
