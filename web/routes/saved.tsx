import { createScreenMeta } from '#web/lib/page-meta.ts';
import { useSession } from '#web/lib/use-session.ts';
import { SavedScreen } from '#web/listings/saved/saved-screen.tsx';
import { PageBody } from '#web/shell/page-body.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';

export const meta = createScreenMeta('Saved');

export default function Saved() {
  const { user } = useSession();
  return (
    <PageBody className="max-md:pt-5!">
      <PageHeading className="mb-2! md:mb-4!">Saved</PageHeading>
      {user && <SavedScreen key={user.id} ownId={user.id} />}
    </PageBody>
  );
}
