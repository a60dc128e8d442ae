import { useEffect, useRef } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router';
import type { OwnProfile } from '#contract/profiles.ts';
import { SessionList } from '#web/accounts/session-list.tsx';
import { TwoStepSettings } from '#web/accounts/two-step-settings.tsx';
import { BlockedPeople } from '#web/blocks/blocked-people.tsx';
import { TransactionHistory } from '#web/deals/transaction-history.tsx';
import { getHistoryEntryState } from '#web/lib/history-entry-state.ts';
import { links } from '#web/lib/links.ts';
import { createScreenMeta } from '#web/lib/page-meta.ts';
import { LatestListings } from '#web/listings/mine/latest-listings.tsx';
import { NotificationSettings } from '#web/notifications/notification-settings.tsx';
import { ProfileLoading } from '#web/profiles/profile-loading.tsx';
import { ProfileSummary } from '#web/profiles/profile-summary.tsx';
import { useOwnProfile } from '#web/profiles/public.ts';
import { ProfileSettings } from '#web/profiles/settings.tsx';
import { PushSettings } from '#web/push/push-settings.tsx';
import { PageBody } from '#web/shell/page-body.tsx';
import { Redirect } from '#web/shell/redirect.tsx';
import { ThemeToggle } from '#web/shell/theme-toggle.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { NoListingsIllustration } from '#web/ui/illustrations/empty-states.tsx';
import { type Tab, Tabs } from '#web/ui/tabs.tsx';

export const meta = createScreenMeta('Profile');

export default function Profile() {
  const { profile, failed, reload } = useOwnProfile({ isFresh: true });
  if (!profile) {
    return (
      <PageBody width="reading">
        <ProfileLoading failed={failed} reload={reload} />
      </PageBody>
    );
  }
  if (!profile.full_name || !profile.role) return <Redirect to={links.profileSetup} />;
  return (
    <PageBody width="reading">
      <ProfileSummary profile={profile} />
      <ProfileTabs profile={profile} />
    </PageBody>
  );
}

/** The tabs of the profile. The open tab is in the URL, so that it survives a reload and can be linked to. */
function ProfileTabs({ profile }: { profile: OwnProfile }) {
  const [search, setSearch] = useSearchParams();
  const tabs = createTabs(profile);
  const [first] = tabs;
  const open = tabs.find(({ value }) => value === search.get('tab')) ?? first;
  const box = useScrollToLinkedTab(search.has('tab'));
  return (
    <div ref={box} className="mt-8">
      <Tabs
        label="Your profile"
        tabs={tabs}
        value={open?.value ?? ''}
        onValueChange={(tab) =>
          setSearch(tab === first?.value ? {} : { tab }, { replace: true, preventScrollReset: true })
        }
      />
    </div>
  );
}

/**
 * Scrolls to the tabs when a link opens one of them on a phone, where the summary above them fills the screen. Returns a
 * ref for the element around the tabs.
 */
const useScrollToLinkedTab = (isLinked: boolean) => {
  const box = useRef<HTMLDivElement>(null);
  const location = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: only opening the screen scrolls, not selecting a tab
  useEffect(() => {
    const isReturn = getHistoryEntryState(location).scroll !== undefined;
    const isPhone = window.matchMedia('(width < 48rem)').matches;
    if (isLinked && isPhone && !isReturn) box.current?.scrollIntoView({ behavior: 'instant' });
  }, []);
  return box;
};

const createTabs = (profile: OwnProfile): Tab[] => [
  {
    value: 'listings',
    label: 'My Listings',
    content: (
      <LatestListings
        ownId={profile.id}
        title="My Listings"
        empty={
          <EmptyState
            illustration={<NoListingsIllustration />}
            title="No listings yet"
            text="What you post is shown to everyone on campus."
            action={
              <Button asChild>
                <Link to={links.postAd}>Create Your First Listing</Link>
              </Button>
            }
          />
        }
      />
    ),
  },
  {
    value: 'rentals',
    label: 'My Rentals',
    content: (
      <LatestListings
        ownId={profile.id}
        title="My Rentals"
        category="rentals"
        empty={
          <EmptyState
            illustration={<NoListingsIllustration />}
            title="No rentals yet"
            text="A bicycle, a projector, a formal suit: things that others need for a day."
            action={
              <Button asChild>
                <Link to={links.postAd}>Post a Rental</Link>
              </Button>
            }
          />
        }
      />
    ),
  },
  {
    value: 'history',
    label: 'Transaction History',
    content: <TransactionHistory ownId={profile.id} />,
  },
  {
    value: 'settings',
    label: 'Settings',
    content: (
      <ProfileSettings
        profile={profile}
        notifications={
          <NotificationSettings ownId={profile.id} devices={<PushSettings ownId={profile.id} />} />
        }
        blockedPeople={<BlockedPeople ownId={profile.id} />}
        twoStep={<TwoStepSettings ownId={profile.id} email={profile.email} />}
        sessions={<SessionList ownId={profile.id} />}
        theme={<ThemeToggle />}
      />
    ),
  },
];
