import { CalendarDays, Clock, Handshake, ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import type { CampusTimes } from '#contract/campus.ts';
import { formatPercent } from '#contract/number-format.ts';
import type { PublicProfile, TypicalReplyTime } from '#contract/profiles.ts';
import { formatCampusMonth, formatCount } from '#web/lib/format.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Badge, VerifiedBadge } from '#web/ui/badge.tsx';
import { Card } from '#web/ui/card.tsx';
import { useFocusAfterNavigation } from '#web/ui/page-heading.tsx';
import { Rating } from '#web/ui/rating.tsx';

const responseTimeLabels: Record<TypicalReplyTime, string> = {
  hour: 'Usually replies within an hour',
  day: 'Usually replies within a day',
};

export interface PublicProfileHeaderProps {
  profile: PublicProfile;
  campus: CampusTimes;
  /** Buttons at the top right: share, and edit when the owner views the page. */
  actions: ReactNode;
}

/** The top of a public profile: picture, name, badges, bio and facts. Unknown facts are omitted. */
export function PublicProfileHeader({ profile, campus, actions }: PublicProfileHeaderProps) {
  const heading = useFocusAfterNavigation<HTMLHeadingElement>();
  const { name, response_time: responseTime } = profile;
  return (
    <Card
      padded
      className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-4 gap-y-4 md:items-start md:gap-x-7"
    >
      <Avatar
        name={name}
        src={profile.avatar_url}
        size="xl"
        className="max-md:size-18 max-md:text-xl md:row-span-2"
      />
      <div className="min-w-0">
        <h1
          ref={heading}
          tabIndex={-1}
          className="break-words font-extrabold text-2xl outline-none md:text-3xl"
        >
          <bdi>{name}</bdi>
        </h1>
        <Rating value={profile.rating} count={profile.review_count} className="mt-1" />
        {(profile.usc_verified || profile.role) && (
          <p className="mt-1.5 flex flex-wrap gap-2">
            {profile.usc_verified && <VerifiedBadge />}
            {profile.role && <Badge tone="brand">{profile.role}</Badge>}
          </p>
        )}
      </div>
      <div className="flex gap-2 self-start max-md:flex-col">{actions}</div>
      <div className="col-span-full min-w-0 md:col-span-2 md:col-start-2">
        {profile.bio && (
          <p dir="auto" className="mb-3 max-w-prose whitespace-pre-line break-words">
            {profile.bio}
          </p>
        )}
        <ul className="flex flex-wrap gap-x-6 gap-y-2 text-ink-muted text-sm">
          <Fact
            icon={<CalendarDays aria-hidden="true" />}
          >{`Member since ${formatCampusMonth(profile.member_since, campus)}`}</Fact>
          {profile.completed_trades > 0 && (
            <Fact
              icon={<Handshake aria-hidden="true" />}
            >{`${formatCount(profile.completed_trades, campus)} completed ${profile.completed_trades === 1 ? 'trade' : 'trades'}`}</Fact>
          )}
          {profile.deals_kept !== null && (
            <Fact
              icon={<ShieldCheck aria-hidden="true" />}
            >{`${formatPercent(campus, profile.deals_kept)} of deals kept`}</Fact>
          )}
          {responseTime && (
            <Fact icon={<Clock aria-hidden="true" />}>{responseTimeLabels[responseTime]}</Fact>
          )}
        </ul>
      </div>
    </Card>
  );
}

function Fact({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="flex items-center gap-1.5 [&_svg]:size-4 [&_svg]:shrink-0">
      {icon}
      {children}
    </li>
  );
}
