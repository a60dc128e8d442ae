import { ScanBarcode } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Input } from '#web/ui/input.tsx';
import { lazyDialog } from '#web/ui/lazy-component.tsx';
import type { ListingFormMethods } from './submission.ts';
import { useBookDetails } from './use-book-details.ts';

const ScanDialog = lazyDialog(async () => (await import('./scan-dialog.tsx')).ScanDialog);

const sourceSentences = {
  catalog: 'Details filled in from the catalog. Change what differs.',
  listing: 'Details filled in from an earlier listing. Change what differs.',
} as const;

/** The ISBN of a book, typed or scanned, from which the other fields are filled in. */
export function IsbnInput({ form }: { form: ListingFormMethods }) {
  const { register, setValue, clearErrors } = form;
  const [isScanning, setIsScanning] = useState(false);
  const source = useBookDetails(form);
  return (
    <>
      <span className="flex items-center gap-2">
        <Input autoComplete="off" {...register('isbn')} />
        <IconButton label="Scan the barcode" onClick={() => setIsScanning(true)}>
          <ScanBarcode aria-hidden="true" />
        </IconButton>
      </span>
      <span role="status" className="text-ink-muted text-xs">
        {source && sourceSentences[source]}
      </span>
      {isScanning && (
        <ScanDialog
          onFound={(isbn) => {
            setValue('isbn', isbn, { shouldDirty: true });
            clearErrors('isbn');
          }}
          onClose={() => setIsScanning(false)}
        />
      )}
    </>
  );
}
