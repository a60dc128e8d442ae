import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import {
  Link,
  type Location,
  type MetaFunction,
  useLocation,
  useNavigate,
  useSearchParams,
} from 'react-router';
import { calls } from '#contract/calls.ts';
import { formatRequestedChangesMessage, formatTakenDownMessage } from '#contract/listings.ts';
import { ApiError, request } from '#web/lib/api.ts';
import { links } from '#web/lib/links.ts';
import { createScreenMeta } from '#web/lib/page-meta.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { useSession } from '#web/lib/use-session.ts';
import { ListingFormHead } from '#web/listings/post/form-head.tsx';
import { ListingFormSkeleton } from '#web/listings/post/form-skeleton.tsx';
import type { ListingFormOwner } from '#web/listings/post/listing-form.tsx';
import { PostListingScreen, type PostListingScreenProps } from '#web/listings/post/post-screen.tsx';
import type { NextListing } from '#web/listings/public.ts';
import { MembershipNotice } from '#web/profiles/membership-notice.tsx';
import { PageBody } from '#web/shell/page-body.tsx';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { NothingFoundIllustration } from '#web/ui/illustrations/empty-states.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { toast } from '#web/ui/toast.ts';

const pageHeadings = { post: 'Post Your Ad', edit: 'Edit Your Listing', wanted: 'Looking for something' };

const WantedFormScreen = lazyComponent(
  async () => (await import('#web/wanted/wanted-form.tsx')).WantedFormScreen,
  { placeholder: ListingFormSkeleton },
);

const findHeading = (search: URLSearchParams): string => {
  if (search.has('wanted')) return pageHeadings.wanted;
  return search.has('edit') ? pageHeadings.edit : pageHeadings.post;
};

export const meta: MetaFunction = (args) =>
  createScreenMeta(findHeading(new URLSearchParams(args.location.search)))(args);

export default function PostAd() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const campus = useCampus();
  const owner = useFormOwner();
  // The location's key changes on every navigation and is used as the form's key, so that every visit
  // without a listing id starts with an empty form.
  const { key, state } = useLocation() as Location<Partial<NextListing> | null>;
  const [headSlot, setHeadSlot] = useState<HTMLElement | null>(null);
  const editId = search.get('edit') ?? undefined;
  // Saving a new listing adds its id to the URL. Keep using the form's previous React key, so that the form
  // is not remounted.
  const [created, setCreated] = useState<{ id: string; formKey: string }>();
  const continuesForm = created !== undefined && created.id === editId;
  // While a save is adding the id to the URL, the location still has the same key. A different key and a
  // URL without the id mean that the person has left the form; if they return, the listing is loaded from
  // the server.
  if (created && !continuesForm && key !== created.formKey) setCreated(undefined);
  const formKey = continuesForm ? created.formKey : (editId ?? key);
  const isEditing = editId !== undefined && !continuesForm;
  if (!owner) return null;
  const wantedId = search.get('wanted');
  if (wantedId !== null)
    return (
      <PageBody width="reading">
        <PageHeading>{pageHeadings.wanted}</PageHeading>
        <WantedFormScreen key={owner.id + wantedId} ownId={owner.id} postId={wantedId || undefined} />
      </PageBody>
    );

  return (
    <PageBody width="reading" className="max-md:pt-0! max-md:pb-8!">
      <ListingFormHead
        title={isEditing ? pageHeadings.edit : pageHeadings.post}
        formKey={{ ownerId: owner.id, listingId: editId }}
        setSlot={setHeadSlot}
      />
      <MembershipNotice />
      {isEditing ? (
        <EditListingForm key={owner.id + formKey} id={editId} owner={owner} headSlot={headSlot} />
      ) : (
        <PostListingScreen
          key={owner.id + formKey}
          campus={campus}
          owner={owner}
          headSlot={headSlot}
          // Somebody else may have logged in since this entry of the history was added.
          initialValues={state?.ownerId === owner.id ? state.keptValues : undefined}
          onCreated={(id) => {
            setCreated({ id, formKey });
            void navigate(links.editListing(id), { replace: true, preventScrollReset: true });
          }}
        />
      )}
    </PageBody>
  );
}

/** Returns the signed-in account, which owns the form, or undefined if nobody is signed in. */
const useFormOwner = (): ListingFormOwner | undefined => {
  const { user } = useSession();
  return user ? { id: user.id, email: user.email ?? '' } : undefined;
};

function EditListingForm({
  id,
  owner,
  headSlot,
}: Pick<PostListingScreenProps, 'owner' | 'headSlot'> & { id: string }) {
  const campus = useCampus();
  const {
    data,
    error,
    isError: failed,
    refetch,
  } = useQuery(
    {
      queryKey: ['own-listing', id],
      queryFn: ({ signal }) => request(calls.getMyListing, { params: { id }, signal }),
    },
    queryClient,
  );
  useEffect(() => {
    if (failed) toast.error('Failed to load listing data');
  }, [failed]);

  if (data) {
    return (
      <>
        {data.hidden_reason !== null && <HiddenListingAlert reason={data.hidden_reason} />}
        {data.status === 'in_review' && (
          <Alert tone="notice" className="mb-6" title="We’re checking this listing">
            Only you can see it until we’re done. You can still change it.
          </Alert>
        )}
        {data.requested_changes !== null && (
          <Alert
            tone="notice"
            className="mb-6"
            title={formatRequestedChangesMessage(data.requested_changes)}
          />
        )}
        <PostListingScreen
          campus={campus}
          owner={owner}
          listing={data}
          headSlot={headSlot}
          onCreated={() => undefined}
        />
      </>
    );
  }
  if (!failed) return <ListingFormSkeleton />;
  if (error instanceof ApiError && error.code === 'listing_not_found') {
    return (
      <EmptyState
        illustration={<NothingFoundIllustration />}
        title="This isn’t one of your listings"
        text="You deleted it, or it belongs to somebody else."
        action={
          <Button asChild>
            <Link to={links.myListings}>Back to My Listings</Link>
          </Button>
        }
      />
    );
  }
  return (
    <LoadFailed title="Failed to load listing data" onRetry={() => void refetch()}>
      {error.message}
    </LoadFailed>
  );
}

/** Warns that the server refuses to publish a listing that moderators hid, and says what to do. */
function HiddenListingAlert({ reason }: { reason: string }) {
  return (
    <Alert tone="notice" className="mb-6" title={formatTakenDownMessage(reason)}>
      Save your changes as a draft and{' '}
      <Link to={links.contact} className="font-semibold underline underline-offset-4">
        write to us
      </Link>{' '}
      to have it shown again.
    </Alert>
  );
}
