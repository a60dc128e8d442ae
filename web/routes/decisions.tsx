import { DecisionsScreen } from '#web/decisions/decisions-screen.tsx';
import { createScreenMeta } from '#web/lib/page-meta.ts';
import { useSession } from '#web/lib/use-session.ts';
import { PageBody } from '#web/shell/page-body.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';

export const meta = createScreenMeta('Moderation Decisions');

export default function Decisions() {
  const { user } = useSession();
  return (
    <PageBody width="reading">
      <PageHeading subtitle="What moderators decided about you and your listings. You can appeal each decision once.">
        Moderation Decisions
      </PageHeading>
      {user && <DecisionsScreen key={user.id} ownId={user.id} />}
    </PageBody>
  );
}
