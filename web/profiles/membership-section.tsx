import { useState } from 'react';
import { formatReturnDay } from '#contract/away.ts';
import { calls } from '#contract/calls.ts';
import { isCampusEmail } from '#contract/campus.ts';
import type { Membership } from '#contract/membership-schema.ts';
import { describeMembershipEnd } from '#contract/memberships.ts';
import type { OwnProfile } from '#contract/profiles.ts';
import { toActionError } from '#web/accounts/public.ts';
import { request } from '#web/lib/api.ts';
import { links } from '#web/lib/links.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { SignOnButton } from '#web/ui/sign-on-button.tsx';
import { toast } from '#web/ui/toast.ts';

/** Shows until when a person counts as a member of the campus, and lets them confirm it. */
export function MembershipSection({ profile, membership }: { profile: OwnProfile; membership: Membership }) {
  const campus = useCampus();
  const { signOn } = campus;
  const sentence = describeMembershipEnd(membership, campus);
  return (
    <div className="flex max-w-md flex-col gap-4">
      {sentence ? <Alert tone="notice">{sentence}</Alert> : <DueText membership={membership} />}
      {membership.can_confirm && <ConfirmByEmail profile={profile} />}
      {signOn && <SignOnButton name={signOn.name} from={links.settings('campus-address')} />}
    </div>
  );
}

function DueText({ membership: { due_on: dueOn, is_asked: isAsked } }: { membership: Membership }) {
  const campus = useCampus();
  const { shortName } = campus;
  if (dueOn === null) return <p className="text-ink-muted text-sm">Your membership does not end.</p>;
  const day = formatReturnDay(dueOn, campus);
  return (
    <p className="text-ink-muted text-sm">
      {isAsked
        ? `Please confirm by ${day} that you are still at ${shortName}.`
        : `Once a year we ask whether you are still at ${shortName}. The next time is before ${day}.`}
    </p>
  );
}

function ConfirmByEmail({ profile }: { profile: OwnProfile }) {
  const campus = useCampus();
  const [isSending, setIsSending] = useState(false);
  const [isSent, setIsSent] = useState(false);
  const address = isCampusEmail(campus, profile.email)
    ? profile.email
    : (profile.campus_address?.email ?? '');
  const send = async (): Promise<void> => {
    setIsSending(true);
    try {
      await request(calls.requestMembershipLink, {});
      setIsSent(true);
    } catch (error) {
      toast.error(toActionError(error).message);
    }
    setIsSending(false);
  };
  if (isSent)
    return (
      <Alert tone="success">
        <span>We sent a link to </span>
        <bdi className="break-words">{address}</bdi>
        <span>. Tap the button in the email.</span>
      </Alert>
    );
  return (
    <div>
      <Button variant="secondary" loading={isSending} onClick={() => void send()}>
        Confirm now
      </Button>
    </div>
  );
}
