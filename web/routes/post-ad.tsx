import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, type MetaFunction, useLocation, useNavigate, useSearchParams } from 'react-router';
import { calls } from '#contract/calls.ts';
import { takenDownSentence } from '#contract/listings.ts';
import { request } from '#web/lib/api.ts';
import { links } from '#web/lib/links.ts';
import { screenMeta } from '#web/lib/page-meta.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { ListingForm } from '#web/listings/post/listing-form.tsx';
import { PageBody } from '#web/shell/page-body.tsx';
import { Alert } from '#web/ui/alert.tsx';
import { Card } from '#web/ui/card.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { toast } from '#web/ui/toast.ts';

const headings = { post: 'Post Your Ad', edit: 'Edit Your Listing' };

export const meta: MetaFunction = (args) =>
  screenMeta(new URLSearchParams(args.location.search).has('edit') ? headings.edit : headings.post)(args);

export default function PostAd() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const campus = useCampus();
  // The location's key remounts the form, so that every visit without a listing id starts with an empty one.
  const { key } = useLocation();
  const editId = search.get('edit') ?? undefined;
  // After a draft is saved, the URL changes to the draft's, but the form keeps its key and is not remounted.
  const [savedDraft, setSavedDraft] = useState<{ id: string; formKey: string }>();
  const continuesDraft = savedDraft !== undefined && savedDraft.id === editId;
  const formKey = continuesDraft ? savedDraft.formKey : (editId ?? key);
  const isEditing = editId !== undefined && !continuesDraft;

  return (
    <PageBody width="reading">
      <PageHeading
        above={
          <Link
            to={links.myListings}
            className="inline-flex min-h-11 items-center gap-2 font-semibold text-ink-muted text-sm hover:text-ink"
          >
            <ArrowLeft aria-hidden="true" className="size-4" />
            My Listings
          </Link>
        }
      >
        {isEditing ? headings.edit : headings.post}
      </PageHeading>
      {isEditing ? (
        <EditForm key={formKey} id={editId} />
      ) : (
        <ListingForm
          key={formKey}
          campus={campus}
          onDraftSaved={(id) => {
            setSavedDraft({ id, formKey });
            void navigate(links.editListing(id), { replace: true, preventScrollReset: true });
          }}
        />
      )}
    </PageBody>
  );
}

function EditForm({ id }: { id: string }) {
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
        <ListingForm campus={campus} listing={data} onDraftSaved={() => undefined} />
      </>
    );
  }
  if (!failed) return <FormSkeleton />;
  return (
    <LoadFailed title="Failed to load listing data" onRetry={() => void refetch()}>
      {error.message}
    </LoadFailed>
  );
}

/** Warns that the server refuses to publish a listing that moderators hid, and says what to do. */
function HiddenListingAlert({ reason }: { reason: string }) {
  return (
    <Alert tone="notice" className="mb-6" title={takenDownSentence(reason)}>
      Save your changes as a draft and{' '}
      <Link to={links.contact} className="font-semibold underline underline-offset-4">
        write to us
      </Link>{' '}
      to have it shown again.
    </Alert>
  );
}

function FormSkeleton() {
  return (
    <Card padded className="space-y-6">
      <span role="status" className="sr-only">
        Loading listing
      </span>
      <Skeleton className="h-40 w-full" />
      <Skeleton className="h-11 w-full" />
      <div className="grid gap-5 sm:grid-cols-2">
        <Skeleton className="h-11" />
        <Skeleton className="h-11" />
      </div>
      <Skeleton className="h-36 w-full" />
    </Card>
  );
}
