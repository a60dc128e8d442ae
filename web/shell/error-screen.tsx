import { errorCatalogue } from '#contract/errors.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { NothingFound } from '#web/ui/illustrations/empty-states.tsx';
import { PageBody } from './page-body.tsx';

/** In place of a screen that could not be shown. Says nothing of the reason: that is in the log. */
export function ErrorScreen({ status }: { status: number }) {
  const { sentence } = status === 503 ? errorCatalogue.unavailable : errorCatalogue.internal;
  return (
    <PageBody width="reading">
      <title>Something went wrong</title>
      <meta name="robots" content="noindex" />
      <EmptyState
        as="h1"
        illustration={<NothingFound />}
        title="This page could not be shown"
        text={sentence}
        action={
          <>
            {/* Full loads: what failed may be the script itself. */}
            <Button onClick={() => window.location.reload()}>Try again</Button>
            <Button variant="secondary" asChild>
              <a href="/">Return to Home</a>
            </Button>
          </>
        }
      />
    </PageBody>
  );
}
