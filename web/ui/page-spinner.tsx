import { Button } from './button.tsx';
import { Spinner } from './spinner.tsx';

/**
 * A spinner that fills the window below the header, so that the footer does not move when the screen is loaded. After
 * ten seconds it offers to reload the page. Only a style controls this offer, because a script of the page may have
 * failed to load. Its link is empty and therefore leads to the current URL.
 */
export function PageSpinner() {
  return (
    <div className="grid min-h-[calc(100dvh-8rem)] place-content-center justify-items-center gap-4 px-4">
      <Spinner size="lg" />
      <p
        role="status"
        className="flex animate-slow-notice flex-wrap items-center justify-center gap-x-2.5 gap-y-1 text-ink-muted"
      >
        This is taking longer than usual.
        <Button variant="link" asChild>
          {/* biome-ignore lint/a11y/useValidAnchor: an empty URL is valid and means the current page */}
          <a href="">Reload the page</a>
        </Button>
      </p>
    </div>
  );
}
