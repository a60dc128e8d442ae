import { Input } from '#web/ui/input.tsx';
import type { ListingFormMethods } from './submission.ts';
import { useBookDetails } from './use-book-details.ts';

const sourceSentences = {
  catalog: 'Details filled in from the catalog. Change what differs.',
  listing: 'Details filled in from an earlier listing. Change what differs.',
} as const;

/** The ISBN of a book, from which the other fields are filled in. */
export function IsbnInput({ form }: { form: ListingFormMethods }) {
  const { register } = form;
  const source = useBookDetails(form);
  return (
    <>
      <Input autoComplete="off" {...register('isbn')} />
      <span role="status" className="text-ink-muted text-xs">
        {source && sourceSentences[source]}
      </span>
    </>
  );
}
