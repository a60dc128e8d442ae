import { Bell, Database, GraduationCap, KeyRound, Lock, Luggage, SunMoon } from 'lucide-react';
import type { ComponentType, ReactNode } from 'react';
import { Link } from 'react-router';
import type { OwnProfile } from '#contract/profiles.ts';
import { type SettingsPage, settingsPages } from '#contract/settings-pages.ts';
import { links } from '#web/lib/links.ts';
import { useOwnProfile } from '#web/profiles/public.ts';
import { Card } from '#web/ui/card.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { LinkList } from '#web/ui/link-list.tsx';
import { LoadingOrFailed } from '#web/ui/loading-or-failed.tsx';

type PageComponent = ComponentType<{ profile: OwnProfile }>;

interface SettingsPageDetails {
  label: string;
  /** What the page is about, if its label does not say it. */
  hint?: string;
  icon: ReactNode;
  load: () => Promise<PageComponent>;
}

const details: Record<SettingsPage, SettingsPageDetails> = {
  notifications: {
    label: 'Notifications',
    icon: <Bell aria-hidden="true" />,
    load: async () => (await import('./notifications-page.tsx')).NotificationsPage,
  },
  away: {
    label: 'Away',
    icon: <Luggage aria-hidden="true" />,
    load: async () => (await import('./away-page.tsx')).AwayPage,
  },
  privacy: {
    label: 'Privacy',
    hint: 'Name, “Seen”, blocked people',
    icon: <Lock aria-hidden="true" />,
    load: async () => (await import('./privacy-page.tsx')).PrivacyPage,
  },
  security: {
    label: 'Log-in and security',
    hint: 'Password, two-step, devices',
    icon: <KeyRound aria-hidden="true" />,
    load: async () => (await import('./security-page.tsx')).SecurityPage,
  },
  'campus-address': {
    label: 'Campus address',
    icon: <GraduationCap aria-hidden="true" />,
    load: async () => (await import('./campus-address-page.tsx')).CampusAddressPage,
  },
  theme: {
    label: 'Theme',
    icon: <SunMoon aria-hidden="true" />,
    load: async () => (await import('./theme-page.tsx')).ThemePage,
  },
  account: {
    label: 'Your data',
    hint: 'Download, delete',
    icon: <Database aria-hidden="true" />,
    load: async () => (await import('./account-page.tsx')).AccountPage,
  },
};

const components = Object.fromEntries(
  settingsPages.map((page) => [page, lazyComponent(details[page].load, { placeholder: PagePlaceholder })]),
) as Record<SettingsPage, PageComponent>;

function PagePlaceholder() {
  return (
    <Card padded>
      <LoadingOrFailed what="your settings" isError={false} onRetry={() => {}} className="h-20" />
    </Card>
  );
}

export const findSettingsPage = (search: URLSearchParams): SettingsPage | undefined =>
  settingsPages.find((page) => page === search.get('page'));

export const getSettingsPageLabel = (page: SettingsPage): string => details[page].label;

/** The list of the pages of the settings, for phones. */
export function SettingsList() {
  return (
    <LinkList
      label="Settings"
      items={settingsPages.map((page) => ({ ...details[page], to: links.settings(page) }))}
    />
  );
}

/** One page of the settings. */
export function SettingsPageContent({ page, profile }: { page: SettingsPage; profile: OwnProfile }) {
  // The page may be opened long after the screen has loaded the profile.
  useOwnProfile({ isFresh: true });
  const Page = components[page];
  return (
    <div className="flex min-w-0 flex-col gap-4 md:gap-5">
      <Page profile={profile} />
    </div>
  );
}

interface WideSettingsProps {
  /** Undefined if the URL names none. */
  page: SettingsPage | undefined;
  profile: OwnProfile;
}

/** The list of the pages of the settings beside one of them, for wide windows. */
export function WideSettings({ page = settingsPages[0], profile }: WideSettingsProps) {
  return (
    <div className="grid grid-cols-[11rem_minmax(0,1fr)] items-start gap-6">
      <nav aria-label="Settings">
        <ul className="flex flex-col gap-1">
          {settingsPages.map((it) => (
            <li key={it}>
              <Link
                to={links.settings(it)}
                preventScrollReset
                aria-current={it === page ? 'page' : undefined}
                className="flex min-h-11 items-center rounded-md px-3 font-semibold text-ink-muted text-sm transition-colors hover:bg-hover hover:text-ink aria-[current]:bg-brand-soft aria-[current]:text-brand-text"
              >
                {details[it].label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <SettingsPageContent page={page} profile={profile} />
    </div>
  );
}
