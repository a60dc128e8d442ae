import { trouble } from '#contract/trouble.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageBody } from './page-body.tsx';

/** In place of a screen that could not be shown. Says nothing of the reason: that is in the log. */
export function ErrorScreen({ status }: { status: number }) {
  return (
    <PageBody width="reading">
      <title>Something went wrong</title>
      <meta name="robots" content="noindex" />
      <EmptyState
        as="h1"
        title="This page could not be shown"
        text={status === 503 ? trouble.unavailable : trouble.internal}
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
