import { Link, Navigate } from 'react-router';
import { useOwnProfile } from '#web/lib/own-profile.ts';
import { screenMeta } from '#web/lib/screen-meta.ts';
import { ProfileLoading } from '#web/profiles/profile-loading.tsx';
import { ProfileSummary } from '#web/profiles/profile-summary.tsx';
import { PageBody } from '#web/shell/page-body.tsx';
import { Button } from '#web/ui/button.tsx';

export const meta = screenMeta('Profile');

export default function Profile() {
  const { profile, failed, reload } = useOwnProfile();
  if (!profile) {
    return (
      <PageBody width="reading">
        <ProfileLoading failed={failed} reload={reload} />
      </PageBody>
    );
  }
  if (!profile.full_name || !profile.role) return <Navigate replace to="/profile-setup" />;
  return (
    <PageBody width="reading">
      <ProfileSummary
        profile={profile}
        actions={
          <>
            <Button asChild>
              <Link to="/my-listings">My Listings</Link>
            </Button>
            <Button variant="secondary" asChild>
              <Link to="/messages">Messages</Link>
            </Button>
            <Button variant="secondary" asChild>
              <Link to="/post-ad">Post Item</Link>
            </Button>
          </>
        }
      />
    </PageBody>
  );
}
