import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { calls } from '#contract/calls.ts';
import type { Campus } from '#contract/campus.ts';
import { formatPrice } from '#contract/prices.ts';
import { getListingPriceUnit } from '#contract/selling.ts';
import {
  type AnsweringListing,
  type WantedAnswer,
  type WantedPost,
  wantedAnswerSchema,
} from '#contract/wanted.ts';
import { request } from '#web/lib/api.ts';
import { links } from '#web/lib/links.ts';
import { getPhotoSources } from '#web/lib/photo-sources.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useAttemptId } from '#web/lib/use-attempt-id.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { useContractForm } from '#web/lib/use-contract-form.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { LoadingOrFailed } from '#web/ui/loading-or-failed.tsx';
import { OnlineOnlyButton } from '#web/ui/online-only-button.tsx';
import { Photo } from '#web/ui/photo.tsx';
import { RadioGroup } from '#web/ui/radio-group.tsx';
import { Textarea } from '#web/ui/textarea.tsx';

const firstWords = 'I have this. Are you still looking for it?';

const toOption = (listing: AnsweringListing, campus: Campus) => {
  const price = `${formatPrice(campus, listing.price)}${listing.price > 0 ? (getListingPriceUnit(listing) ?? '') : ''}`;
  return {
    value: listing.id,
    label: listing.title,
    hint: listing.matches ? `${price} · matches` : price,
    icon: listing.cover && (
      <Photo
        {...getPhotoSources(listing.cover)}
        sizes="3rem"
        alt=""
        ratio="square"
        className="size-12 shrink-0 rounded-md"
      />
    ),
  };
};

export interface AnswerDialogProps {
  post: WantedPost;
  ownId: string;
  onClose: () => void;
}

/** Lets a seller choose one of their listings and write about it to the person who looks for something. */
export function AnswerDialog({ post, ownId, onClose }: AnswerDialogProps) {
  const formId = useId();
  const campus = useCampus();
  const navigate = useNavigate();
  const { getAttemptId } = useAttemptId();
  const [failure, setFailure] = useState<string>();
  const { data, isError, refetch } = useQuery(
    {
      queryKey: ['wanted-answers', ownId, post.id],
      queryFn: ({ signal }) => request(calls.listListingsToAnswerWith, { params: { id: post.id }, signal }),
      gcTime: 0,
    },
    queryClient,
  );
  const items = data?.items;
  const form = useContractForm<{ listing_id: string; text: string }, WantedAnswer>({
    schema: (values) =>
      wantedAnswerSchema.safeParse({
        ...values,
        listing_id: values.listing_id || items?.[0]?.id,
        client_id: getAttemptId(JSON.stringify(values)),
      }) as never,
    defaultValues: { listing_id: '', text: firstWords },
  });
  const { register, formState, watch, setValue } = form;

  const submit = form.handleSubmit(async (body) => {
    setFailure(undefined);
    try {
      const answer = await request(calls.answerWantedPost, { params: { id: post.id }, body });
      void navigate(links.conversation(answer.conversation_id));
    } catch (reason) {
      setFailure((reason as Error).message);
    }
  });
  const postIt = (
    <Button variant="secondary" asChild>
      <Link to={links.postAd}>Post it</Link>
    </Button>
  );

  return (
    <FormDialog
      title="I have this"
      description={<bdi>{post.title}</bdi>}
      formId={formId}
      SubmitButton={OnlineOnlyButton}
      submitLabel={items && items.length > 0 ? 'Send' : undefined}
      sending={formState.isSubmitting}
      onClose={onClose}
    >
      {!items ? (
        <LoadingOrFailed
          what="your listings"
          isError={isError}
          onRetry={() => void refetch()}
          className="h-32 rounded-lg"
        />
      ) : items.length === 0 ? (
        <div className="flex flex-col items-start gap-4">
          <p>An answer is about one of your listings, and you have none yet.</p>
          {postIt}
        </div>
      ) : (
        <form id={formId} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-5">
          {failure && <Alert tone="error">{failure}</Alert>}
          <Field label="Your listing">
            <RadioGroup
              name="listing_id"
              options={items.map((item) => toOption(item, campus))}
              value={watch('listing_id') || items[0]?.id}
              onValueChange={(id) => setValue('listing_id', id)}
            />
          </Field>
          <p className="text-ink-muted text-sm">
            Not posted yet?{' '}
            <Link to={links.postAd} className="font-semibold underline underline-offset-4">
              Post it
            </Link>
          </p>
          <Field label="Message" error={formState.errors.text?.message} required>
            <Textarea dir="auto" className="min-h-24" {...register('text')} />
          </Field>
        </form>
      )}
    </FormDialog>
  );
}
