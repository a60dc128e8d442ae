import { Link } from 'react-router';
import { links } from '#web/lib/links.ts';
import { Button } from '#web/ui/button.tsx';
import { NothingFoundIllustration } from '#web/ui/illustrations/empty-states.tsx';
import { PageEmptyState } from '#web/ui/page-empty-state.tsx';

/** The page of a course that is neither in the list of the campus nor named by a listing. `code` is what was asked for. */
export function CourseNotFound({ code }: { code: string }) {
  return (
    <PageEmptyState
      illustration={<NothingFoundIllustration />}
      title="Course not found"
      text={
        <>
          No books are offered for <bdi>{code}</bdi>. Check the code, or search for the title of the book.
        </>
      }
      action={
        <>
          <Button asChild>
            <Link to={links.category('textbooks')}>Browse textbooks</Link>
          </Button>
          <Button variant="secondary" asChild>
            <Link to={links.search(code)}>Search for it</Link>
          </Button>
        </>
      }
    />
  );
}
