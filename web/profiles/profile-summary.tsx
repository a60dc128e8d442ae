import { displayName, type OwnProfile } from '#contract/profiles.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Badge, VerifiedBadge } from '#web/ui/badge.tsx';
import { Card } from '#web/ui/card.tsx';
import { useArrivalFocus } from '#web/ui/page-heading.tsx';

/** Who one is, as others see it, and the address only oneself sees. */
export function ProfileSummary({ profile, actions }: { profile: OwnProfile; actions: React.ReactNode }) {
  const heading = useArrivalFocus<HTMLHeadingElement>();
  const name = displayName(profile);
  return (
    <Card
      padded
      className="flex flex-col items-center gap-5 text-center md:flex-row md:items-start md:text-left"
    >
      <Avatar name={name} src={profile.avatar_url} size="xl" />
      <div className="min-w-0 flex-1">
        <h1 ref={heading} tabIndex={-1} className="break-words font-extrabold text-2xl outline-none">
          {name}
        </h1>
        <p className="mt-2 flex flex-wrap justify-center gap-2 md:justify-start">
          {profile.usc_verified && <VerifiedBadge />}
          {profile.role && <Badge tone="brand">{profile.role}</Badge>}
        </p>
        <p className="mt-3 break-all text-ink-muted">{profile.email}</p>
        {profile.bio && <p className="mt-3 whitespace-pre-line break-words">{profile.bio}</p>}
        <div className="mt-6 flex flex-wrap justify-center gap-3 md:justify-start">{actions}</div>
      </div>
    </Card>
  );
}
