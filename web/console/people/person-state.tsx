import { formatReturnDay } from '#contract/away.ts';
import type { ConsolePerson } from '#contract/console-people.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Badge, VerifiedBadge } from '#web/ui/badge.tsx';

/** Badges for the facts about an account that need an administrator's attention. */
export function PersonStateBadges({ person }: { person: ConsolePerson }) {
  const campus = useCampus();
  return (
    <span className="flex flex-wrap gap-1.5 empty:in-[td]:before:content-['–']">
      {person.suspended_at && <Badge tone="brand">Suspended</Badge>}
      {person.membership_ended_at && <Badge>Membership ended</Badge>}
      {person.membership_ends_on && (
        <Badge>{`Membership ends ${formatReturnDay(person.membership_ends_on, campus)}`}</Badge>
      )}
      {!person.confirmed_at && <Badge>Not confirmed</Badge>}
      {person.console_role && (
        <Badge tone="gold" className="capitalize">
          {person.console_role}
        </Badge>
      )}
      {person.usc_verified && <VerifiedBadge />}
    </span>
  );
}
