import { HandoversScreen } from '#web/deals/handovers-screen.tsx';
import { createScreenMeta } from '#web/lib/page-meta.ts';
import { useSession } from '#web/lib/use-session.ts';
import { PageBody } from '#web/shell/page-body.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';

export const meta = createScreenMeta('Handovers');

export default function Handovers() {
  const { user } = useSession();
  return (
    <PageBody width="reading" className="max-md:pt-5!">
      <PageHeading className="mb-4!">Handovers</PageHeading>
      {user && <HandoversScreen key={user.id} ownId={user.id} />}
    </PageBody>
  );
}
