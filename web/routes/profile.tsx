import type { ReactNode } from 'react';
import { Link, type MetaFunction, useSearchParams } from 'react-router';
import type { OwnProfile } from '#contract/profiles.ts';
import { TransactionHistory } from '#web/deals/transaction-history.tsx';
import { links } from '#web/lib/links.ts';
import { createScreenMeta } from '#web/lib/page-meta.ts';
import { useIsWideWindow } from '#web/lib/use-is-wide-window.ts';
import { LatestListings } from '#web/listings/mine/latest-listings.tsx';
import { ProfileLoading } from '#web/profiles/profile-loading.tsx';
import { ProfileMenu } from '#web/profiles/profile-menu.tsx';
import { ProfileSummary } from '#web/profiles/profile-summary.tsx';
import { useOwnProfile } from '#web/profiles/public.ts';
import { PageBody } from '#web/shell/page-body.tsx';
import { Redirect } from '#web/shell/redirect.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { NoListingsIllustration } from '#web/ui/illustrations/empty-states.tsx';
import { useFocusAfterNavigation } from '#web/ui/page-heading.tsx';
import { ParentLink } from '#web/ui/parent-link.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import {
  findSettingsPage,
  getSettingsPageLabel,
  SettingsList,
  SettingsPageContent,
  WideSettings,
} from './profile/settings.tsx';

const tabs = [
  { value: 'listings', label: 'My Listings' },
  { value: 'rentals', label: 'My Rentals' },
  { value: 'history', label: 'Transaction History' },
  { value: 'settings', label: 'Settings' },
] as const;
type TabName = (typeof tabs)[number]['value'];

const findTab = (search: URLSearchParams) => tabs.find(({ value }) => value === search.get('tab'));

export const meta: MetaFunction = (args) => {
  const search = new URLSearchParams(args.location.search);
  const tab = findTab(search);
  const page = tab?.value === 'settings' ? findSettingsPage(search) : undefined;
  return createScreenMeta(page ? getSettingsPageLabel(page) : (tab?.label ?? 'Profile'))(args);
};

export default function Profile() {
  const { profile, failed, reload } = useOwnProfile({ isFresh: true });
  if (profile && (!profile.full_name || !profile.role)) return <Redirect to={links.profileSetup} />;
  return (
    <PageBody width="reading" className="max-md:py-4!">
      {profile ? <ProfileScreen profile={profile} /> : <ProfileLoading failed={failed} reload={reload} />}
    </PageBody>
  );
}

/**
 * The profile with its tabs; on phones, a list instead, and each tab is a screen. The open tab and the page of the
 * settings are in the URL, so that they survive a reload and can be linked to.
 */
function ProfileScreen({ profile }: { profile: OwnProfile }) {
  const [search, setSearch] = useSearchParams();
  const isWide = useIsWideWindow();
  const tab = findTab(search);
  const page = findSettingsPage(search);
  if (isWide) {
    const contents = {
      ...createTabContents(profile),
      settings: <WideSettings page={page} profile={profile} />,
    };
    return (
      <>
        <ProfileSummary profile={profile} />
        <div className="mt-6">
          <Tabs
            label="Your profile"
            tabs={tabs.map((it) => ({ ...it, content: contents[it.value] }))}
            value={tab?.value ?? 'listings'}
            onValueChange={(value) =>
              setSearch(value === 'listings' ? {} : { tab: value }, {
                replace: true,
                preventScrollReset: true,
              })
            }
          />
        </div>
      </>
    );
  }
  if (!tab) {
    return (
      <>
        <ProfileSummary profile={profile} />
        <div className="mt-4">
          <ProfileMenu profile={profile} />
        </div>
      </>
    );
  }
  if (tab.value !== 'settings') {
    return (
      <PhoneScreen title={tab.label} parent={{ to: links.profile, label: 'Back to the profile' }}>
        {/* The space leaves room for a toast, which may cover no listing. */}
        <div className="pt-5">{createTabContents(profile)[tab.value]}</div>
      </PhoneScreen>
    );
  }
  return page ? (
    <PhoneScreen
      title={getSettingsPageLabel(page)}
      parent={{ to: links.settings(), label: 'Back to Settings' }}
    >
      <SettingsPageContent page={page} profile={profile} />
    </PhoneScreen>
  ) : (
    <PhoneScreen title={tab.label} parent={{ to: links.profile, label: 'Back to the profile' }}>
      <SettingsList />
    </PhoneScreen>
  );
}

interface PhoneScreenProps {
  title: string;
  parent: { to: string; label: string };
  children: ReactNode;
}

function PhoneScreen({ title, parent, children }: PhoneScreenProps) {
  const heading = useFocusAfterNavigation<HTMLHeadingElement>(title);
  return (
    <>
      <div className="-mt-2 mb-6">
        <div className="-ml-2.5">
          <ParentLink {...parent} />
        </div>
        <h1 ref={heading} tabIndex={-1} className="font-extrabold text-2xl outline-none">
          {title}
        </h1>
      </div>
      {children}
    </>
  );
}

const createTabContents = (profile: OwnProfile): Record<Exclude<TabName, 'settings'>, ReactNode> => ({
  listings: (
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
  rentals: (
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
  history: <TransactionHistory ownId={profile.id} />,
});
