import { Pencil } from 'lucide-react';
import { Link } from 'react-router';
import { formatPercent } from '#contract/number-format.ts';
import { calculateProfileCompletion, getDisplayName, type OwnProfile } from '#contract/profiles.ts';
import { links } from '#web/lib/links.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { useIsSignOnConnected } from '#web/lib/use-is-sign-on-connected.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Badge, VerifiedBadge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { useFocusAfterNavigation } from '#web/ui/page-heading.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { TextLink } from '#web/ui/text-link.tsx';
import { formatAwaitedSignOn } from './awaited-sign-on.ts';

/** The person's profile as others see it, plus their private email address. */
export function ProfileSummary({ profile }: { profile: OwnProfile }) {
  const campus = useCampus();
  const heading = useFocusAfterNavigation<HTMLHeadingElement>();
  const name = getDisplayName(profile);
  const completion = calculateProfileCompletion(profile);
  return (
    <Card className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-4 gap-y-3 p-4 md:items-start md:gap-x-6 md:p-6">
      <Avatar name={name} src={profile.avatar_url} size="lg" className="md:row-span-4 md:size-20" />
      <div className="min-w-0 max-md:col-span-2">
        <h1
          ref={heading}
          tabIndex={-1}
          className="break-words font-extrabold text-xl leading-tight outline-none md:text-2xl"
        >
          <bdi>{name}</bdi>
        </h1>
        <p className="mt-1.5 flex flex-wrap gap-2">
          {profile.usc_verified && <VerifiedBadge />}
          {profile.role && <Badge tone="brand">{profile.role}</Badge>}
        </p>
        <p className="mt-1.5 break-all text-ink-muted text-sm">{profile.email}</p>
      </div>
      <div className="flex flex-col gap-3 max-md:order-1 md:row-span-4">
        <Button variant="secondary" size="sm" asChild>
          <Link to={links.profileEdit}>
            <Pencil aria-hidden="true" className="size-4" />
            Edit Profile
          </Link>
        </Button>
        {/* On phones, the menu of the profile has this link. */}
        <Button variant="ghost" size="sm" asChild className="max-md:hidden">
          <Link to={links.user(profile.id)}>Public profile</Link>
        </Button>
      </div>
      {profile.bio && (
        <p
          dir="auto"
          className="whitespace-pre-line break-words max-md:col-span-full max-md:line-clamp-3 max-md:text-sm md:col-start-2"
        >
          {profile.bio}
        </p>
      )}
      <div className="max-md:col-span-2 md:col-start-2 md:max-w-sm">
        <p className="mb-1.5 flex flex-wrap justify-between gap-x-2 font-semibold text-xs md:text-sm">
          <span>Profile completion</span>
          <span className="figures text-ink-muted">{formatPercent(campus, completion)}</span>
        </p>
        <ProgressBar value={completion} label="Profile completion" tone="positive" />
      </div>
      {completion < 100 && <NextStep profile={profile} />}
    </Card>
  );
}

function NextStep({ profile: { avatar_url, bio } }: { profile: OwnProfile }) {
  const { signOn } = useCampus();
  const isSignOnConnected = useIsSignOnConnected();
  return (
    <p className="-mt-1.5 text-ink-muted text-xs max-md:order-2 max-md:col-span-full md:col-start-2">
      {!avatar_url ? (
        <span>Add a photo: people like to know who they will meet.</span>
      ) : !bio ? (
        <span>Add a few words about yourself.</span>
      ) : signOn?.isRequired && isSignOnConnected ? (
        <span>{formatAwaitedSignOn(signOn.name)}</span>
      ) : (
        <TextLink to={links.settings('campus-address')}>
          {signOn?.isRequired
            ? `Connect ${signOn.name} to earn the verified badge.`
            : 'Add your campus email address to earn the verified badge.'}
        </TextLink>
      )}
    </p>
  );
}
