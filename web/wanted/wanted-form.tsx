import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { calls } from '#contract/calls.ts';
import { toCampusDay } from '#contract/campus.ts';
import { getCategoryLabel, postableCategories } from '#contract/categories.ts';
import { addDays } from '#contract/days.ts';
import { formatPriceField } from '#contract/price-fields.ts';
import { countCharacters } from '#contract/text.ts';
import {
  createWantedPostSchema,
  maxWantedDays,
  type OwnWantedPost,
  type WantedPostBody,
  wantedTitleLength,
} from '#contract/wanted.ts';
import { ApiError, request } from '#web/lib/api.ts';
import { links } from '#web/lib/links.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useAttemptId } from '#web/lib/use-attempt-id.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { useContractForm } from '#web/lib/use-contract-form.ts';
import { removeFormDraft, useFormDraft } from '#web/lib/use-form-draft.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Field } from '#web/ui/field.tsx';
import { NothingFoundIllustration } from '#web/ui/illustrations/empty-states.tsx';
import { Input } from '#web/ui/input.tsx';
import { LoadingOrFailed } from '#web/ui/loading-or-failed.tsx';
import { OnlineOnlyButton } from '#web/ui/online-only-button.tsx';
import { PriceInput } from '#web/ui/price-input.tsx';
import { Select } from '#web/ui/select.tsx';
import { toast } from '#web/ui/toast.ts';
import { ownWantedQuery, refreshWanted } from './wanted-queries.ts';

/** The form of a new wanted post or, with an id, of one that exists. */
export function WantedFormScreen({ ownId, postId }: { ownId: string; postId: string | undefined }) {
  const { data, isError, refetch } = useQuery(
    { ...ownWantedQuery(ownId), enabled: postId !== undefined },
    queryClient,
  );
  if (postId === undefined) return <WantedForm />;
  if (!data)
    return (
      <LoadingOrFailed
        what="your post"
        isError={isError}
        onRetry={() => void refetch()}
        className="h-32 rounded-lg"
      />
    );
  const post = data.items.find(({ id }) => id === postId);
  if (post) return <WantedForm key={postId} post={post} />;
  return (
    <EmptyState
      illustration={<NothingFoundIllustration />}
      title="This isn’t one of your posts"
      text="It was removed, or it belongs to somebody else."
      action={
        <Button asChild>
          <Link to={links.myWanted}>Back to My Listings</Link>
        </Button>
      }
    />
  );
}

interface WantedValues {
  title: string;
  category: string;
  maxPrice: string;
  until: string;
}

function WantedForm({ post }: { post?: OwnWantedPost }) {
  const campus = useCampus();
  const navigate = useNavigate();
  const { getAttemptId } = useAttemptId();
  const [failure, setFailure] = useState<string>();
  const today = toCampusDay(campus, new Date());
  const last = addDays(today, maxWantedDays);
  const draftName = `wanted ${post?.id ?? 'new'}`;
  const form = useContractForm<WantedValues, WantedPostBody>({
    schema: createWantedPostSchema(today, campus) as never,
    defaultValues: {
      title: post?.title ?? '',
      category: post?.category ?? '',
      maxPrice: typeof post?.max_price === 'number' ? formatPriceField(campus, post.max_price, false) : '',
      until: post?.state === 'open' ? post.until : last,
    },
  });
  useFormDraft(draftName, form);
  const { register, watch, formState } = form;
  const { errors, isSubmitting } = formState;

  const submit = form.handleSubmit(async (body) => {
    setFailure(undefined);
    try {
      if (post) await request(calls.changeWantedPost, { params: { id: post.id }, body: { ...body } });
      else
        await request(calls.createWantedPost, {
          body: { ...body, clientId: getAttemptId(JSON.stringify(body)) },
        });
    } catch (reason) {
      if (reason instanceof ApiError && form.showFieldErrors(reason.fields)) return;
      setFailure((reason as Error).message);
      return;
    }
    removeFormDraft(draftName);
    refreshWanted();
    toast.success(post ? 'Updated' : 'Posted', 'People who have it can write to you.');
    void navigate(links.myWanted, { replace: true });
  });

  return (
    <form noValidate aria-label="What you’re looking for" onSubmit={(event) => void submit(event)}>
      <Card padded className="flex flex-col gap-6">
        {failure && <Alert tone="error">{failure}</Alert>}
        <Field
          label="What are you looking for?"
          error={errors.title?.message}
          aside={`${countCharacters(watch('title').trim())}/${wantedTitleLength.max}`}
          hint="A few words that its listing would contain, such as “mini fridge”."
          required
        >
          <Input dir="auto" autoComplete="off" {...register('title')} />
        </Field>
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label="Category" error={errors.category?.message} required>
            <Select
              placeholder="Select a category"
              options={postableCategories.map((value) => ({
                value,
                label: getCategoryLabel(value, campus.mascot),
              }))}
              {...register('category')}
            />
          </Field>
          <Field label="Highest price" error={errors.maxPrice?.message} hint="Leave it empty for any price.">
            <PriceInput {...register('maxPrice')} />
          </Field>
          <Field label="Until" error={errors.until?.message} hint={`At most ${maxWantedDays} days.`} required>
            <Input type="date" min={today} max={last} {...register('until')} />
          </Field>
        </div>
        <OnlineOnlyButton type="submit" loading={isSubmitting}>
          {post ? (post.state === 'open' ? 'Update' : 'Renew') : 'Post'}
        </OnlineOnlyButton>
      </Card>
    </form>
  );
}
