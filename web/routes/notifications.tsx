import { createScreenMeta } from '#web/lib/page-meta.ts';
import { useSession } from '#web/lib/use-session.ts';
import { NotificationsScreen } from '#web/notifications/notifications-screen.tsx';
import { PageBody } from '#web/shell/page-body.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';

export const meta = createScreenMeta('Notifications');

export default function Notifications() {
  const { user } = useSession();
  return (
    <PageBody width="reading" className="max-md:pt-5!">
      <PageHeading
        className="mb-3! md:mb-4!"
        subtitle="Everything new except messages and deals, which are under Messages."
      >
        Notifications
      </PageHeading>
      {user && <NotificationsScreen key={user.id} ownId={user.id} />}
    </PageBody>
  );
}
