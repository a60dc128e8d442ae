import { useId } from 'react';
import { type SavedSearch, type SavedSearchForm, savedSearchFormSchema } from '#contract/saved-searches.ts';
import { ApiError } from '#web/lib/api.ts';
import { useContractForm } from '#web/lib/use-contract-form.ts';
import { Field } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { Input } from '#web/ui/input.tsx';
import { OnlineButton } from '#web/ui/online-button.tsx';
import { toast } from '#web/ui/toast.ts';
import { changeSearch, saveSearch } from './saved-searches.ts';

export interface SearchDialogProps {
  ownId: string;
  /** The search to change, or the content of a new one. */
  search: SavedSearch | SavedSearchForm;
  onClose: () => void;
}

/** Asks for the name of a search. */
export function SearchDialog({ ownId, search, onClose }: SearchDialogProps) {
  const formId = useId();
  const { query } = search;
  const saved = 'id' in search ? search : undefined;
  const form = useContractForm<Pick<SavedSearchForm, 'name'>, SavedSearchForm>({
    schema: (values) => savedSearchFormSchema.safeParse({ ...values, query, alert: search.alert }),
    defaultValues: { name: search.name },
  });
  const { errors, isSubmitting } = form.formState;

  const submit = form.handleSubmit(async (values) => {
    try {
      if (saved) await changeSearch(ownId, saved, { name: values.name });
      else await saveSearch(ownId, values);
      toast.success(saved ? 'Changes saved' : 'Search saved');
      onClose();
    } catch (reason) {
      if (reason instanceof ApiError && form.showFieldErrors(reason.fields)) return;
      toast.error('Failed to save search', (reason as Error).message);
    }
  });

  return (
    <FormDialog
      title={saved ? 'Edit saved search' : 'Save this search'}
      description={saved ? undefined : 'Find it again under Saved, with the number of new listings.'}
      formId={formId}
      SubmitButton={OnlineButton}
      submitLabel={saved ? 'Save changes' : 'Save search'}
      sending={isSubmitting}
      onClose={onClose}
    >
      <form id={formId} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-5">
        <Field label="Name" error={errors.name?.message} required>
          <Input autoComplete="off" {...form.register('name')} />
        </Field>
      </form>
    </FormDialog>
  );
}
