import { Link } from 'react-router';
import { describeMembershipEnd } from '#contract/memberships.ts';
import { links } from '#web/lib/links.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { useOwnProfile } from './own-profile.ts';

/** Tells a person whose membership of the campus ends or has ended; shows nothing to others. */
export function MembershipNotice() {
  const campus = useCampus();
  const { profile } = useOwnProfile();
  const sentence = profile?.membership && describeMembershipEnd(profile.membership, campus);
  if (!sentence) return null;
  return (
    <Alert
      tone="notice"
      className="mb-4"
      action={
        <Button asChild variant="secondary" size="sm">
          <Link to={links.settings('campus-address')}>
            {profile?.membership?.can_confirm ? 'Confirm now' : 'Details'}
          </Link>
        </Button>
      }
    >
      {sentence}
    </Alert>
  );
}
