import { Link } from 'react-router';
import { links } from '#web/lib/links.ts';
import { Button } from '#web/ui/button.tsx';
import { NotFoundIllustration as NotFoundDrawing } from '#web/ui/illustrations/empty-states.tsx';
import { PageEmptyState } from '#web/ui/page-empty-state.tsx';
import { PageBody } from './page-body.tsx';

/** The content of the 404 page. */
export function PageNotFound() {
  return (
    <PageBody width="reading">
      <PageEmptyState
        illustration={<NotFoundDrawing />}
        title="Oops! Page not found"
        text="The page may have moved, or the address may have a typo."
        action={
          <Button asChild>
            <Link to={links.home}>Return to Home</Link>
          </Button>
        }
      />
    </PageBody>
  );
}
