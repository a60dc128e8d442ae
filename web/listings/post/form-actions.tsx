import { clsx } from 'clsx';
import { EllipsisVertical, Undo2 } from 'lucide-react';
import { Button } from '#web/ui/button.tsx';
import { DropdownMenu, MenuItem } from '#web/ui/dropdown-menu.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import type { ListingFormState } from './form-state.ts';
import type { ListingFormField, MissingField } from './submission.ts';

export interface MainActionsProps {
  /** Id of the form that the main button submits. */
  form: string;
  submitLabel: string;
  step: ListingFormState['step'];
  /** Makes the listing a draft again. Omitted unless it is published. */
  onUnpublish: (() => void) | undefined;
}

const draftSteps: readonly ListingFormState['step'][] = [
  'checking-deals',
  'saving-draft',
  'waiting-to-save-draft',
];

/** The button that publishes the listing, and the menu of a published one. */
export function MainFormActions({ form, submitLabel, step, onUnpublish }: MainActionsProps) {
  return (
    <>
      {onUnpublish && (
        <DropdownMenu
          trigger={
            <IconButton label="More actions">
              <EllipsisVertical aria-hidden="true" />
            </IconButton>
          }
        >
          <MenuItem icon={<Undo2 aria-hidden="true" />} onSelect={onUnpublish}>
            Unpublish
          </MenuItem>
        </DropdownMenu>
      )}
      <Button
        type="submit"
        form={form}
        size="sm"
        loading={step === 'publishing' || step === 'waiting-to-publish'}
        disabled={step === 'done' || draftSteps.includes(step)}
      >
        {submitLabel}
      </Button>
    </>
  );
}

export interface ListingFormActionsProps {
  mainActions: MainActionsProps;
  /** Whether the main button is at the top of the window on phones. */
  hasHead: boolean;
  missing: readonly MissingField[];
  onMissingField: (field: ListingFormField) => void;
  /** Whether all unsent changes are saved on this device. */
  isSavedOnDevice: boolean;
  /** Whether the last save was refused because of errors that are still displayed. */
  hasErrors: boolean;
  /** Whether the save that was asked for begins when all photos are uploaded. */
  isWaiting: boolean;
  /** Omitted for a published listing. */
  onSaveDraft: (() => void) | undefined;
}

/** The buttons of the listing form, the fields that are still missing, and how saving goes. */
export function ListingFormActions({
  mainActions,
  hasHead,
  missing,
  onMissingField,
  isSavedOnDevice,
  hasErrors,
  isWaiting,
  onSaveDraft,
}: ListingFormActionsProps) {
  const { step } = mainActions;
  const message = isWaiting
    ? { title: 'Upload in progress', text: 'Please wait for all photos to finish uploading' }
    : hasErrors
      ? { title: 'Validation failed', text: 'Please fix the errors before submitting' }
      : undefined;
  return (
    <div className="flex flex-col gap-x-6 gap-y-3 md:flex-row md:items-center md:justify-between">
      <div className="min-w-0 text-sm">
        {missing.length > 0 && <MissingFields fields={missing} onSelect={onMissingField} />}
        {/* Not a toast, which would cover the fields with errors. On phones it is below the button at the top. */}
        <div
          role="status"
          className={clsx(
            isWaiting ? 'text-ink' : 'text-danger',
            hasHead &&
              message &&
              'max-md:fixed max-md:inset-x-0 max-md:top-[calc(var(--spacing)*14+var(--offline-bar,0rem))] max-md:z-30 max-md:border-line max-md:border-b max-md:bg-surface max-md:px-(--page-gutter) max-md:py-1.5',
          )}
        >
          {message && (
            <>
              <p className="font-semibold">{message.title}</p>
              <p>{message.text}</p>
            </>
          )}
        </div>
        {isSavedOnDevice && !message && <p className="text-ink-muted">Saved on this device</p>}
      </div>
      <div className="flex flex-wrap items-center gap-3 md:shrink-0">
        {onSaveDraft && (
          <Button
            variant="secondary"
            size="sm"
            className={clsx('max-md:flex-1', hasHead && 'max-md:min-h-13')}
            loading={draftSteps.includes(step)}
            disabled={step === 'publishing' || step === 'waiting-to-publish' || step === 'done'}
            onClick={onSaveDraft}
          >
            Save as Draft
          </Button>
        )}
        <div className={clsx('flex flex-wrap items-center gap-1', hasHead && 'max-md:hidden')}>
          <MainFormActions {...mainActions} />
        </div>
      </div>
    </div>
  );
}

interface MissingFieldsProps {
  fields: readonly MissingField[];
  onSelect: (field: ListingFormField) => void;
}

/** The fields that must still be filled in before the listing can be posted, as buttons that lead to them. */
function MissingFields({ fields, onSelect }: MissingFieldsProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 text-xs">
      <span aria-hidden="true" className="shrink-0 text-ink-muted">
        Still needed:
      </span>
      <ul aria-label="Still needed" className="flex min-w-0 flex-wrap gap-x-3">
        {fields.map(({ field, name }) => (
          <li key={field}>
            <button
              type="button"
              className="min-h-11 min-w-11 whitespace-nowrap text-start font-semibold text-brand-text underline underline-offset-4"
              onClick={() => onSelect(field)}
            >
              {name}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
