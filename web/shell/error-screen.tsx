import { useEffect, useState } from 'react';
import { trouble } from '#contract/trouble.ts';
import { offlineNotice } from '#web/lib/offline-notice.ts';
import { useOnline } from '#web/lib/use-online.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { NoConnection } from '#web/ui/illustrations/no-connection.tsx';
import { PageBody } from './page-body.tsx';

const tryAgain = () => window.location.reload();

const sentences: Partial<Record<number, string>> = { 429: trouble.rate_limited, 503: trouble.unavailable };

/** In place of a screen that could not be shown. Says nothing of the reason: that is in the log. */
export function ErrorScreen({ status }: { status: number }) {
  const online = useOnline();
  // Whether it was for want of a connection that the screen failed.
  const [cutOff] = useState(!online);
  useEffect(() => {
    if (cutOff && online) tryAgain();
  }, [cutOff, online]);
  // Full loads: what failed may be the script itself.
  const ways = (
    <>
      <Button onClick={tryAgain}>Try again</Button>
      <Button variant="secondary" asChild>
        <a href="/">Return to Home</a>
      </Button>
    </>
  );
  return (
    <PageBody width="reading">
      <title>Something went wrong</title>
      <meta name="robots" content="noindex" />
      {cutOff ? (
        <EmptyState
          as="h1"
          illustration={<NoConnection />}
          title={offlineNotice.title}
          text={offlineNotice.text}
          action={ways}
        />
      ) : (
        <EmptyState
          as="h1"
          title="This page could not be shown"
          text={sentences[status] ?? trouble.internal}
          action={ways}
        />
      )}
    </PageBody>
  );
}
