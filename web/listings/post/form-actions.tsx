import { useId } from 'react';
import { Button } from '#web/ui/button.tsx';
import type { ListingFormState } from './form-state.ts';
import type { ListingFormField, MissingField } from './submission.ts';

export interface ListingFormActionsProps {
  submitLabel: string;
  missing: readonly MissingField[];
  onMissingField: (field: ListingFormField) => void;
  /** Whether all unsent changes are saved on this device. */
  isSavedOnDevice: boolean;
  /** Whether the server refused the last save because of errors that are still displayed. */
  hasErrors: boolean;
  step: ListingFormState['step'];
  onSaveDraft: () => void;
}

// On phones, a border image extends the background to the full width of the window, because it is
// painted outside the box without making the page wider.
const actionBarClasses =
  'flex flex-col gap-x-6 gap-y-2 max-md:above-bottom-bar max-md:sticky max-md:z-30 max-md:pt-2 max-md:[border-image:linear-gradient(var(--color-line)_1px,var(--color-surface)_0)_fill_0//0_100vw] md:flex-row md:items-center md:justify-between';

/**
 * The buttons of the listing form and the list of fields that are still missing. On phones, they
 * are pinned to the bottom of the window.
 */
export function ListingFormActions({
  submitLabel,
  missing,
  onMissingField,
  isSavedOnDevice,
  hasErrors,
  step,
  onSaveDraft,
}: ListingFormActionsProps) {
  const missingId = useId();
  const isIncomplete = missing.length > 0;
  const isDraftBusy = step === 'checking-deals' || step === 'saving-draft';
  return (
    <div data-pinned className={actionBarClasses}>
      <div className="min-w-0 text-sm">
        {isIncomplete && (
          <div id={missingId}>
            <MissingFields fields={missing} onSelect={onMissingField} />
          </div>
        )}
        {/* This error is not a toast, because on phones a toast would cover the fields with errors. */}
        <div role="status" className="text-danger">
          {hasErrors && (
            <>
              <p className="font-semibold">Validation failed</p>
              <p>Please fix the errors before submitting</p>
            </>
          )}
        </div>
        {isSavedOnDevice && !hasErrors && (
          <p className={isIncomplete ? 'text-ink-muted max-md:sr-only' : 'text-ink-muted'}>
            Saved on this device
          </p>
        )}
      </div>
      <div className="flex gap-3 max-md:*:flex-1 md:shrink-0">
        <Button
          variant="secondary"
          size="sm"
          loading={isDraftBusy}
          disabled={step === 'publishing' || step === 'done'}
          onClick={onSaveDraft}
        >
          Save as Draft
        </Button>
        <Button
          type="submit"
          size="sm"
          loading={step === 'publishing'}
          disabled={step === 'done' || isDraftBusy || isIncomplete}
          aria-describedby={isIncomplete ? missingId : undefined}
        >
          {submitLabel}
        </Button>
      </div>
    </div>
  );
}

/** Maximum number of missing fields shown on a phone, where they fit on one line at the normal text size. */
const maxMissingFieldsOnPhones = 3;

interface MissingFieldsProps {
  fields: readonly MissingField[];
  onSelect: (field: ListingFormField) => void;
}

/**
 * The fields that must still be filled in before the listing can be posted, as buttons that lead to
 * them. Phones show only the first few and a count of the rest.
 */
function MissingFields({ fields, onSelect }: MissingFieldsProps) {
  const more = fields.length - maxMissingFieldsOnPhones;
  return (
    <div className="flex items-center gap-x-2 text-xs max-md:flex-wrap md:gap-x-3">
      <span aria-hidden="true" className="shrink-0 text-ink-muted">
        Still needed:
      </span>
      <ul aria-label="Still needed" className="flex min-w-0 flex-wrap gap-x-2 md:gap-x-3">
        {fields.map(({ field, name }, index) => (
          <li key={field} className={index < maxMissingFieldsOnPhones ? undefined : 'max-md:hidden'}>
            <button
              type="button"
              className="min-h-11 whitespace-nowrap font-semibold text-brand-text underline underline-offset-4 max-md:min-w-11"
              onClick={() => onSelect(field)}
            >
              {name}
            </button>
          </li>
        ))}
      </ul>
      {more > 0 && <span className="shrink-0 text-ink-muted md:hidden">{`+${more} more`}</span>}
    </div>
  );
}
