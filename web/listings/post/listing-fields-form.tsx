import { defaultCampus } from '#contract/campus.ts';
import { useContractForm } from '#web/lib/use-contract-form.ts';
import { ListingFields } from './listing-fields.tsx';
import {
  blankListingFormValues,
  type CreateListingBody,
  type ListingFormValues,
  validateListing,
} from './submission.ts';

/** The fields of a new listing, which begins with these values. */
export function ListingFieldsForm({ values }: { values: Partial<ListingFormValues> }) {
  const form = useContractForm<ListingFormValues, CreateListingBody>({
    schema: (typed) =>
      validateListing(
        typed,
        { photos: [], status: 'draft', id: undefined, clientId: 'client' },
        { today: '2026-03-02', campus: defaultCampus },
      ),
    defaultValues: { ...blankListingFormValues, ...values },
    editing: 'clears',
  });
  return <ListingFields form={form} campus={defaultCampus} today="2026-03-02" ownEmail="sam@usc.edu" />;
}
