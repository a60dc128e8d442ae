import { useId } from 'react';
import { Controller } from 'react-hook-form';
import {
  canAlertInstantly,
  type SavedSearch,
  type SavedSearchBody,
  type SearchAlertFrequency,
  savedSearchBodySchema,
  savedSearchErrorMessages,
  searchAlertFrequencies,
} from '#contract/saved-searches.ts';
import { ApiError } from '#web/lib/api.ts';
import { useContractForm } from '#web/lib/use-contract-form.ts';
import { removeFormDraft, useFormDraft } from '#web/lib/use-form-draft.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { Input } from '#web/ui/input.tsx';
import { OnlineOnlyButton } from '#web/ui/online-only-button.tsx';
import { RadioGroup } from '#web/ui/radio-group.tsx';
import { RestoredDraftAlert } from '#web/ui/restored-draft-alert.tsx';
import { toast } from '#web/ui/toast.ts';
import { searchAlertLabels } from './alert-labels.ts';
import { changeSavedSearch } from './saved-searches.ts';

const alertHints: Record<SearchAlertFrequency, string> = {
  instant: 'At most one notification in 15 minutes',
  daily: 'One notification a day, if there is anything new',
  off: 'New listings are counted on your list of saved searches',
};

export interface SavedSearchDialogProps {
  ownId: string;
  search: SavedSearch;
  onClose: () => void;
}

/** A dialog for the name of a saved search and for when its alerts are sent. */
export function SavedSearchDialog({ ownId, search, onClose }: SavedSearchDialogProps) {
  const formId = useId();
  const { query } = search;
  const offered = searchAlertFrequencies.filter((alert) => alert !== 'instant' || canAlertInstantly(query));
  const form = useContractForm<Pick<SavedSearchBody, 'name' | 'alert'>, SavedSearchBody>({
    schema: (values) => savedSearchBodySchema.safeParse({ ...values, query }),
    defaultValues: { name: search.name, alert: search.alert },
  });
  const draftName = `saved search ${search.id}`;
  const { isRestored } = useFormDraft(draftName, form);
  const discardDraft = () => removeFormDraft(draftName);
  const { errors, isSubmitting } = form.formState;

  const submit = form.handleSubmit(async (values) => {
    try {
      await changeSavedSearch(ownId, search, { name: values.name, alert: values.alert });
      discardDraft();
      toast.success('Changes saved');
      onClose();
    } catch (reason) {
      if (reason instanceof ApiError && form.showFieldErrors(reason.fields)) return;
      toast.error('Failed to save search', (reason as Error).message);
    }
  });

  return (
    <FormDialog
      title="Edit saved search"
      formId={formId}
      SubmitButton={OnlineOnlyButton}
      submitLabel="Save changes"
      dismissButton={
        <Button variant="secondary" onClick={discardDraft}>
          Cancel
        </Button>
      }
      sending={isSubmitting}
      onClose={onClose}
    >
      <form id={formId} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-5">
        {isRestored && <RestoredDraftAlert />}
        <Field label="Name" error={errors.name?.message} required>
          <Input autoComplete="off" {...form.register('name')} />
        </Field>
        <Field
          label="Tell me about new listings"
          hint={offered.includes('instant') ? undefined : savedSearchErrorMessages.instant}
          error={errors.alert?.message}
        >
          <Controller
            control={form.control}
            name="alert"
            render={({ field }) => (
              <RadioGroup
                options={offered.map((value) => ({
                  value,
                  label: searchAlertLabels[value],
                  hint: alertHints[value],
                }))}
                value={field.value}
                onValueChange={field.onChange}
              />
            )}
          />
        </Field>
      </form>
    </FormDialog>
  );
}
