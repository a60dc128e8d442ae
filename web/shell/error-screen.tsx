import { useEffect, useState } from 'react';
import type { Campus } from '#contract/campus.ts';
import { generalErrorMessages } from '#contract/general-error-messages.ts';
import { links } from '#web/lib/links.ts';
import { offlineNotice } from '#web/lib/offline-notice.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { useOnline } from '#web/lib/use-online.ts';
import { Button } from '#web/ui/button.tsx';
import { NoConnectionIllustration } from '#web/ui/illustrations/no-connection.tsx';
import { PageEmptyState } from '#web/ui/page-empty-state.tsx';
import { PageBody } from './page-body.tsx';

const reloadPage = () => window.location.reload();

/**
 * Returns the message for an HTTP status. Status 429 only occurs on the search page, where signed-in people have a
 * separate limit.
 */
const getMessageForStatus = (status: number, { supportEmail }: Campus): string => {
  if (status === 429)
    return `${generalErrorMessages.rate_limited} Log in to keep searching, or write to ${supportEmail}.`;
  return status === 503 ? generalErrorMessages.unavailable : generalErrorMessages.internal;
};

/** Shown instead of a screen that failed to load or render. Does not show the reason, which is in the log. */
export function ErrorScreen({ status }: { status: number }) {
  const online = useOnline();
  const campus = useCampus();
  // Whether the screen failed because there was no connection.
  const [wasOffline] = useState(!online);
  useEffect(() => {
    if (wasOffline && online) reloadPage();
  }, [wasOffline, online]);
  // Both buttons load a full page, because the application's scripts may be what failed.
  const actions = (
    <>
      <Button onClick={reloadPage}>Try again</Button>
      <Button variant="secondary" asChild>
        <a href={links.home}>Return to Home</a>
      </Button>
    </>
  );
  return (
    <PageBody width="reading">
      <title>Something went wrong</title>
      <meta name="robots" content="noindex" />
      {wasOffline ? (
        <PageEmptyState
          illustration={<NoConnectionIllustration />}
          title={offlineNotice.title}
          text={offlineNotice.text}
          action={actions}
        />
      ) : (
        <PageEmptyState
          title="This page could not be shown"
          text={getMessageForStatus(status, campus)}
          action={actions}
        />
      )}
    </PageBody>
  );
}
