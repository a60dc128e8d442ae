import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { failedStartNoticeId } from './failed-start-script.ts';

/** In a link, an empty address means the current page (RFC 3986, section 4.4). The browser loads the page again. */
const currentPage = '';

/** An error message that stays hidden unless `failedStartScript` shows it in place of the next element. */
export function FailedStartNotice() {
  return (
    <div id={failedStartNoticeId} hidden role="alert">
      <EmptyState
        as="h1"
        title="This page could not be loaded"
        text="Check your connection and try again."
        action={
          <Button asChild>
            <a href={currentPage}>Try again</a>
          </Button>
        }
      />
    </div>
  );
}
