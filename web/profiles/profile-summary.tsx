import { LogOut, Pencil, ShieldCheck } from 'lucide-react';
import { Link } from 'react-router';
import { calculateProfileCompletion, getDisplayName, type OwnProfile } from '#contract/profiles.ts';
import { useLogout } from '#web/accounts/public.ts';
import { links } from '#web/lib/links.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Badge, VerifiedBadge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { useFocusAfterNavigation } from '#web/ui/page-heading.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';

/** The person's profile as others see it, plus their private email address. */
export function ProfileSummary({ profile }: { profile: OwnProfile }) {
  const heading = useFocusAfterNavigation<HTMLHeadingElement>();
  const name = getDisplayName(profile);
  const completion = calculateProfileCompletion(profile);
  const logout = useLogout();
  return (
    <Card
      padded
      className="flex flex-col items-center gap-5 text-center md:flex-row md:items-start md:text-left"
    >
      <Avatar name={name} src={profile.avatar_url} size="xl" />
      <div className="min-w-0 flex-1">
        <h1 ref={heading} tabIndex={-1} className="break-words font-extrabold text-2xl outline-none">
          <bdi>{name}</bdi>
        </h1>
        <p className="mt-2 flex flex-wrap justify-center gap-2 md:justify-start">
          {profile.usc_verified && <VerifiedBadge />}
          {profile.role && <Badge tone="brand">{profile.role}</Badge>}
        </p>
        <p className="mt-3 break-all text-ink-muted">{profile.email}</p>
        {profile.bio && (
          <p dir="auto" className="mt-3 whitespace-pre-line break-words">
            {profile.bio}
          </p>
        )}
        <div className="mt-5 max-w-sm max-md:mx-auto">
          <p className="mb-1.5 flex justify-between gap-3 font-semibold text-sm">
            Profile completion
            <span className="figures text-ink-muted">{`${completion}%`}</span>
          </p>
          <ProgressBar value={completion} label="Profile completion" tone="positive" />
          {completion < 100 && <p className="mt-1.5 text-ink-muted text-xs">{suggestNextStep(profile)}</p>}
        </div>
      </div>
      <div className="flex flex-wrap justify-center gap-3">
        <Button variant="secondary" asChild>
          <Link to={links.profileEdit}>
            <Pencil aria-hidden="true" className="size-4" />
            Edit Profile
          </Link>
        </Button>
        {/* These buttons are displayed on phones only; in a wide window, the account menu contains the
            same links. */}
        {profile.console_role && (
          <Button variant="secondary" asChild className="md:hidden">
            <Link to={links.moderation}>
              <ShieldCheck aria-hidden="true" className="size-4" />
              Moderation
            </Link>
          </Button>
        )}
        <Button
          variant="ghost"
          className="md:hidden"
          icon={<LogOut aria-hidden="true" className="size-4" />}
          onClick={() => void logout()}
        >
          Logout
        </Button>
      </div>
    </Card>
  );
}

const suggestNextStep = (profile: OwnProfile): string => {
  if (!profile.avatar_url) return 'Add a photo: people like to know who they will meet.';
  if (!profile.bio) return 'Add a few words about yourself.';
  return 'Add your campus email address in Settings to earn the verified badge.';
};
