import {
  CalendarClock,
  CalendarDays,
  Heart,
  History,
  LogOut,
  Settings,
  ShieldCheck,
  Star,
  Tag,
} from 'lucide-react';
import type { OwnProfile } from '#contract/profiles.ts';
import { useLogout } from '#web/accounts/public.ts';
import { links } from '#web/lib/links.ts';
import { LinkList, linkListRowClasses } from '#web/ui/link-list.tsx';

/** The screens of the signed-in person, as a list for phones, and Logout. */
export function ProfileMenu({ profile: { id, console_role } }: { profile: OwnProfile }) {
  const logout = useLogout();
  return (
    <LinkList
      label="Your profile"
      items={[
        { to: links.myListings, label: 'My Listings', icon: <Tag aria-hidden="true" /> },
        { to: links.profileTab('rentals'), label: 'My Rentals', icon: <CalendarDays aria-hidden="true" /> },
        { to: links.saved, label: 'Saved', icon: <Heart aria-hidden="true" /> },
        { to: links.handovers, label: 'Handovers', icon: <CalendarClock aria-hidden="true" /> },
        {
          to: links.profileTab('history'),
          label: 'Transaction History',
          icon: <History aria-hidden="true" />,
        },
        { to: links.user(id), label: 'Reviews and public profile', icon: <Star aria-hidden="true" /> },
        { to: links.settings(), label: 'Settings', icon: <Settings aria-hidden="true" /> },
        ...(console_role
          ? [{ to: links.moderation, label: 'Moderation', icon: <ShieldCheck aria-hidden="true" /> }]
          : []),
      ]}
    >
      <li>
        <button type="button" onClick={() => void logout()} className={linkListRowClasses}>
          <LogOut aria-hidden="true" />
          Logout
        </button>
      </li>
    </LinkList>
  );
}
