import type { FieldValues, Path } from 'react-hook-form';
import { createDealTransitionSchema, type Deal, type DealTransitionBody } from '#contract/deals.ts';
import { ApiError } from '#web/lib/api.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { useContractForm } from '#web/lib/use-contract-form.ts';
import { removeFormDraft, useFormDraft } from '#web/lib/use-form-draft.ts';
import { createUuid } from '#web/lib/uuid.ts';
import { toast } from '#web/ui/toast.ts';
import { isDealChangedError, makeTransition, type TransitionInput } from './make-transition.ts';
import { reportFurtherDeals } from './together.ts';

export interface TransitionFormOptions<Values extends FieldValues> {
  transition: DealTransitionBody['transition'];
  deal: Deal;
  ownId: string;
  defaultValues: Values;
  /**
   * Converts the form's values to the data of the transition. The contract's schema then validates this
   * data.
   */
  toData: (values: Values) => object;
  /** Names of the fields whose texts are not saved as a draft. */
  omitFromDraft?: readonly Path<Values>[];
  onClose: () => void;
}

/**
 * Creates the form for a deal transition that needs further data. The entered texts are saved as a draft
 * until the form is sent. If the deal has changed in the meantime, the dialog closes and the screen shows
 * the deal's current state.
 */
export const useDealTransitionForm = <Values extends FieldValues>({
  transition,
  deal,
  ownId,
  defaultValues,
  toData,
  omitFromDraft,
  onClose,
}: TransitionFormOptions<Values>) => {
  const campus = useCampus();
  const form = useContractForm<Values, DealTransitionBody>({
    schema: (values) =>
      createDealTransitionSchema(campus).safeParse({
        ...toData(values),
        transition,
        client_id: createUuid(),
      }) as never,
    defaultValues: defaultValues as never,
  });
  const draftName = `${transition} ${deal.id}`;
  useFormDraft(draftName, form, omitFromDraft);
  const close = () => {
    removeFormDraft(draftName);
    onClose();
  };
  const submit = form.handleSubmit(async ({ client_id: _, ...input }) => {
    try {
      const made = input as TransitionInput;
      reportFurtherDeals(made, await makeTransition(ownId, deal, made));
      close();
    } catch (reason) {
      if (reason instanceof ApiError && form.showFieldErrors(reason.fields)) return;
      toast.error((reason as Error).message);
      if (isDealChangedError(reason)) close();
    }
  });
  return {
    ...form,
    errors: form.formState.errors,
    isSending: form.formState.isSubmitting,
    formProps: { noValidate: true, onSubmit: (event: React.SubmitEvent) => void submit(event) },
  };
};
