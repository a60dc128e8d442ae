import { Plus } from 'lucide-react';
import { Link } from 'react-router';
import { toCampusDay } from '#contract/campus.ts';
import { links } from '#web/lib/links.ts';
import { createScreenMeta } from '#web/lib/page-meta.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { useSession } from '#web/lib/use-session.ts';
import { MyListingsScreen } from '#web/listings/mine/my-listings-screen.tsx';
import { AwaySwitch } from '#web/profiles/away-switch.tsx';
import { MembershipNotice } from '#web/profiles/membership-notice.tsx';
import { useOwnProfile } from '#web/profiles/public.ts';
import { PageBody } from '#web/shell/page-body.tsx';
import { Button } from '#web/ui/button.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';

export const meta = createScreenMeta('My Listings');

export default function MyListings() {
  const { user } = useSession();
  const { profile } = useOwnProfile();
  const isAway = (profile?.away_until ?? '') > toCampusDay(useCampus(), new Date());
  return (
    <PageBody className="max-md:pt-3!">
      <PageHeading
        className="max-md:mb-2!"
        actions={
          <Button asChild>
            <Link to={links.postAd}>
              <Plus aria-hidden="true" className="size-5" />
              Create New Listing
            </Link>
          </Button>
        }
      >
        My Listings
      </PageHeading>
      <MembershipNotice />
      <div className="flex flex-col gap-4">
        <div className={isAway ? 'order-1' : undefined}>
          {user && <MyListingsScreen key={user.id} ownId={user.id} />}
        </div>
        <div className="max-w-md">
          <AwaySwitch />
        </div>
      </div>
    </PageBody>
  );
}
