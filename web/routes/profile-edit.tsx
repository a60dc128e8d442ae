import { links } from '#web/lib/links.ts';
import { createScreenMeta } from '#web/lib/page-meta.ts';
import { useNavigateUnlessLeft } from '#web/lib/use-has-left.ts';
import { ProfileEditForm } from '#web/profiles/edit-form.tsx';
import { ProfileLoading } from '#web/profiles/profile-loading.tsx';
import { useOwnProfile } from '#web/profiles/public.ts';
import { PageBody } from '#web/shell/page-body.tsx';
import { Card } from '#web/ui/card.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';

export const meta = createScreenMeta('Edit Profile');

export default function ProfileEdit() {
  const { profile, failed, reload } = useOwnProfile({ isFresh: true });
  const navigate = useNavigateUnlessLeft();
  return (
    <PageBody width="form">
      <PageHeading>Edit Profile</PageHeading>
      {profile ? (
        <Card padded>
          <ProfileEditForm
            key={profile.id}
            profile={profile}
            backTo={links.profile}
            onDone={() => navigate(links.profile)}
          />
        </Card>
      ) : (
        <ProfileLoading failed={failed} reload={reload} />
      )}
    </PageBody>
  );
}
