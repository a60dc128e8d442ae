import { links } from '#web/lib/links.ts';
import { createScreenMeta } from '#web/lib/page-meta.ts';
import { useReturnPath } from '#web/lib/return-path.ts';
import { useNavigateUnlessLeft } from '#web/lib/use-has-left.ts';
import { ProfileLoading } from '#web/profiles/profile-loading.tsx';
import { useOwnProfile } from '#web/profiles/public.ts';
import { ProfileSetupForm } from '#web/profiles/setup-form.tsx';
import { PageBody } from '#web/shell/page-body.tsx';
import { Card } from '#web/ui/card.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';

export const meta = createScreenMeta('Set Up Your Profile');

export default function ProfileSetup() {
  const { profile, failed, reload } = useOwnProfile();
  const navigate = useNavigateUnlessLeft();
  const from = useReturnPath();
  return (
    <PageBody width="form">
      <PageHeading subtitle="Tell people on campus who they are trading with.">
        Set up your profile
      </PageHeading>
      {profile ? (
        <Card padded>
          <ProfileSetupForm
            profile={profile}
            onDone={() => navigate(from ?? links.profile, { replace: true })}
          />
        </Card>
      ) : (
        <ProfileLoading failed={failed} reload={reload} />
      )}
    </PageBody>
  );
}
