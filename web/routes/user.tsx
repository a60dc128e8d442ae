import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { data, Link, type LoaderFunctionArgs, type MetaFunction, useLoaderData } from 'react-router';
import type { ErrorBody } from '#contract/errors.ts';
import type { ListingPage } from '#contract/listing-queries.ts';
import { listingPageSize } from '#contract/paging.ts';
import type { PublicProfile } from '#contract/profiles.ts';
import type { PublicReview, ReviewPage } from '#contract/reviews.ts';
import { ReportDialog } from '#web/forms/public.ts';
import { links } from '#web/lib/links.ts';
import { pageLoaderContext } from '#web/lib/page-context.ts';
import { createPageMeta, getSiteData } from '#web/lib/page-meta.ts';
import { useCampus, usePublicUrl } from '#web/lib/use-campus.ts';
import { useSession } from '#web/lib/use-session.ts';
import { ListingFeed } from '#web/listings/listing-feed.tsx';
import { ShareButton } from '#web/listings/share-button.tsx';
import { PublicProfileHeader } from '#web/profiles/public-profile-header.tsx';
import { ReportPersonButton } from '#web/reports/report-person.tsx';
import { toReviewAnchor } from '#web/reviews/review-item.tsx';
import { ReviewList } from '#web/reviews/review-list.tsx';
import { PageBody } from '#web/shell/page-body.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { SectionHeading } from '#web/ui/section-heading.tsx';

const UserNotFound = lazyComponent(
  async () => (await import('#web/profiles/user-not-found.tsx')).UserNotFound,
);

const BlockControl = lazyComponent(async () => (await import('#web/blocks/block-control.tsx')).BlockControl, {
  failed: () => null,
});

const isUserNotFound = (error: unknown): boolean =>
  (error as Partial<ErrorBody> | undefined)?.code === 'user_not_found';

export const loader = async ({ context, params }: LoaderFunctionArgs) => {
  const { reads } = context.get(pageLoaderContext);
  try {
    const profile = await reads.getUser(params.id ?? '');
    const [listings, reviews] = await Promise.all([
      reads.listListings({ seller: profile.id, sort: 'newest', limit: listingPageSize }),
      reads.listUserReviews(profile.id),
    ]);
    return data({ profile, listings, reviews });
  } catch (error) {
    if (!isUserNotFound(error)) throw error;
    return data({ profile: undefined, listings: undefined, reviews: undefined }, { status: 404 });
  }
};

export const meta: MetaFunction<typeof loader> = ({ matches, loaderData }) => {
  const profile = loaderData?.profile;
  const title = profile?.name ?? 'Profile not found';
  return createPageMeta(getSiteData(matches), {
    title,
    description: profile ? `Listings and profile of ${title}.` : 'There is no such profile.',
    path: profile ? links.user(profile.id) : links.home,
    unlisted: true,
  });
};

export default function UserPage() {
  const { profile, listings, reviews } = useLoaderData<typeof loader>();
  return (
    <PageBody className="max-md:pt-4">
      {profile ? (
        <PublicProfileView key={profile.id} profile={profile} listings={listings} reviews={reviews} />
      ) : (
        <UserNotFound />
      )}
    </PageBody>
  );
}

interface PublicProfileViewProps {
  profile: PublicProfile;
  listings: ListingPage;
  reviews: ReviewPage;
}

function PublicProfileView({ profile, listings, reviews }: PublicProfileViewProps) {
  const [reportedReview, setReportedReview] = useState<PublicReview>();
  const { user } = useSession();
  const campus = useCampus();
  const url = `${usePublicUrl()}${links.user(profile.id)}`;
  return (
    <>
      <PublicProfileHeader
        profile={profile}
        campus={campus}
        actions={
          <>
            <ShareButton title={profile.name} url={url} />
            {user?.id === profile.id && <EditProfile />}
          </>
        }
      />
      {user?.id !== profile.id && (
        // Buttons that are loaded later are added on the right, so that the existing ones do not move.
        <div className="mt-3 flex flex-wrap gap-x-2 gap-y-3">
          <ReportPersonButton person={profile} />
          {user && <BlockControl person={profile} ownId={user.id} label={`Block ${profile.name}`} />}
        </div>
      )}
      {reviews.items.length > 0 && (
        <section aria-labelledby="reviews" className="mt-8 md:mt-12">
          <SectionHeading id="reviews">Reviews</SectionHeading>
          <ReviewList userId={profile.id} first={reviews} onReport={setReportedReview} />
        </section>
      )}
      {reportedReview && (
        <ReportDialog
          kind="review"
          itemLink={`${url}#${toReviewAnchor(reportedReview.id)}`}
          onClose={() => setReportedReview(undefined)}
        />
      )}
      <section aria-labelledby="listings" className="mt-8 md:mt-12">
        <SectionHeading id="listings">Listings</SectionHeading>
        {listings.items.length > 0 ? (
          <ListingFeed
            first={listings}
            query={{ seller: profile.id, sort: 'newest' }}
            stagger={0.1}
            hideSeller
          />
        ) : (
          <p className="text-ink-muted">No active listings right now.</p>
        )}
      </section>
    </>
  );
}

function EditProfile() {
  return (
    <IconButton label="Edit Profile" tone="solid" asChild>
      <Link to={links.profileEdit}>
        <Pencil aria-hidden="true" />
      </Link>
    </IconButton>
  );
}
