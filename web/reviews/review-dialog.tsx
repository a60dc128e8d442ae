import { useId } from 'react';
import { Controller, useWatch } from 'react-hook-form';
import { calls } from '#contract/calls.ts';
import { maxReviewLength, type ReviewBody, reviewBodySchema, reviewTags } from '#contract/reviews.ts';
import { countCharacters } from '#contract/text.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { ApiError, request } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useContractForm } from '#web/lib/use-contract-form.ts';
import { removeFormDraft, useFormDraft } from '#web/lib/use-form-draft.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Field } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { OnlineOnlyButton } from '#web/ui/online-only-button.tsx';
import { Textarea } from '#web/ui/textarea.tsx';
import { toast } from '#web/ui/toast.ts';
import { dealReviewsQueryKey } from './review-cache.ts';
import { StarInput } from './star-input.tsx';

export interface ReviewDialogProps {
  dealId: string;
  ownId: string;
  otherName: string;
  /** The person's existing review, or null if they have not written one. */
  review: ReviewBody | null;
  /** The stars that are chosen at first. */
  rating: number;
  onClose: () => void;
}

interface ReviewValues {
  rating: number;
  tags: string[];
  text: string;
}

/** The dialog for rating the other party of a completed deal. */
export function ReviewDialog({ dealId, ownId, otherName, review, rating, onClose }: ReviewDialogProps) {
  const formId = useId();
  const form = useContractForm<ReviewValues, ReviewBody>({
    schema: (values) => reviewBodySchema.safeParse(values) as never,
    defaultValues: { rating, tags: review?.tags ?? [], text: review?.text ?? '' },
  });
  const draftName = `review ${dealId}`;
  useFormDraft(draftName, form);
  const { register, control, formState } = form;
  const { errors, isSubmitting } = formState;
  const text = useWatch({ control, name: 'text' });

  const submit = form.handleSubmit(async (body) => {
    try {
      const reviews = await request(calls.reviewDeal, { params: { id: dealId }, body });
      queryClient.setQueryData(dealReviewsQueryKey(ownId, dealId), reviews);
      removeFormDraft(draftName);
      toast.success('Review saved');
      onClose();
    } catch (reason) {
      if (reason instanceof ApiError && form.showFieldErrors(reason.fields)) return;
      toast.error((reason as Error).message);
    }
  });

  return (
    <FormDialog
      title={`How was it with ${isolateDirection(otherName)}?`}
      description="Both reviews are published together, or after 14 days. Until then you can change yours."
      formId={formId}
      SubmitButton={OnlineOnlyButton}
      submitLabel={review ? 'Save review' : 'Send review'}
      sending={isSubmitting}
      onClose={onClose}
    >
      <form id={formId} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-5">
        <Field label="Rating" error={errors.rating?.message} required>
          <Controller
            control={control}
            name="rating"
            render={({ field: { value, onChange, ref } }) => (
              <StarInput value={value} onChange={onChange} ref={ref} />
            )}
          />
        </Field>
        <fieldset>
          <legend className="mb-1.5 font-semibold text-sm">What was good? (optional)</legend>
          <div className="two-columns gap-x-3">
            {reviewTags.map((tag) => (
              <Checkbox key={tag} label={tag} value={tag} {...register('tags')} />
            ))}
          </div>
        </fieldset>
        <Field
          label="Your review (optional)"
          aside={`${countCharacters(text)}/${maxReviewLength}`}
          error={errors.text?.message}
        >
          <Textarea className="min-h-24" {...register('text')} />
        </Field>
      </form>
    </FormDialog>
  );
}
