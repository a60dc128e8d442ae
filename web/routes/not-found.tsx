import { data, Link, type MetaFunction } from 'react-router';
import { links } from '#web/lib/links.ts';
import { createPageMeta, getSiteData } from '#web/lib/page-meta.ts';
import { PageBody } from '#web/shell/page-body.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { NotFound as NotFoundDrawing } from '#web/ui/illustrations/empty-states.tsx';

export const loader = () => data(null, { status: 404 });

export const meta: MetaFunction = ({ matches }) =>
  createPageMeta(getSiteData(matches), {
    title: 'Page not found',
    description: 'There is nothing at this address.',
    path: links.home,
    unlisted: true,
  });

export default function NotFound() {
  return (
    <PageBody width="reading">
      <EmptyState
        as="h1"
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
