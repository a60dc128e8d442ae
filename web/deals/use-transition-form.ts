import type { FieldValues } from 'react-hook-form';
import { type Deal, type DealTransitionBody, dealTransitionSchema } from '#contract/deals.ts';
import { textToNumber } from '#contract/listings.ts';
import { ApiError } from '#web/lib/api.ts';
import { createUuid } from '#web/lib/new-id.ts';
import { useContractForm } from '#web/lib/use-contract-form.ts';
import { toast } from '#web/ui/toast.ts';
import { isDealMovedOn, makeTransition, type TransitionInput } from './make-transition.ts';

export interface TransitionFormOptions<Values extends FieldValues> {
  deal: Deal;
  ownId: string;
  defaultValues: Values;
  /** Turns the form's values into the data of the transition, which the contract validates. */
  toInput: (values: Values) => object;
  onClose: () => void;
}

/**
 * Creates the form of a transition that needs data. When the deal has moved on, the dialog closes
 * and the screen shows the current state.
 */
export const useTransitionForm = <Values extends FieldValues>({
  deal,
  ownId,
  defaultValues,
  toInput,
  onClose,
}: TransitionFormOptions<Values>) => {
  const form = useContractForm<Values, DealTransitionBody>({
    schema: (values) =>
      dealTransitionSchema.safeParse({ ...toInput(values), client_id: createUuid() }) as never,
    defaultValues: defaultValues as never,
  });
  const submit = form.handleSubmit(async ({ client_id: _, ...input }) => {
    try {
      await makeTransition(ownId, deal, input as TransitionInput);
      onClose();
    } catch (reason) {
      if (reason instanceof ApiError && form.showFieldErrors(reason.fields)) return;
      toast.error((reason as Error).message);
      if (isDealMovedOn(reason)) onClose();
    }
  });
  return {
    ...form,
    errors: form.formState.errors,
    isSending: form.formState.isSubmitting,
    formProps: { noValidate: true, onSubmit: (event: React.SubmitEvent) => void submit(event) },
  };
};

/**
 * Converts the price that a person typed, as in '25.50', to a value that the contract checks: null
 * if the field is empty, NaN if it is not a decimal number. A comma is refused, because it separates
 * thousands for some people and decimals for others.
 */
export const parsePrice = (text: string) => textToNumber(text.trim().replace(/^\$/, ''));
