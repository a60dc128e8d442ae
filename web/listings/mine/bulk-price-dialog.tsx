import { useId } from 'react';
import { useWatch } from 'react-hook-form';
import type { Campus } from '#contract/campus.ts';
import { createChangePriceSchema } from '#contract/listing-form.ts';
import { formatPercent } from '#contract/number-format.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { useContractForm } from '#web/lib/use-contract-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogClose } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { PriceInput } from '#web/ui/price-input.tsx';
import { RadioGroup } from '#web/ui/radio-group.tsx';
import type { PriceChange } from './use-bulk-actions.ts';

export interface BulkPriceDialogProps {
  /** Number of listings. */
  count: number;
  onChoose: (change: PriceChange) => void;
  onClose: () => void;
}

const samePrice = 'same';
const listOptions = (campus: Campus) => [
  ...[10, 20, 30, 50].map((percent) => ({
    value: String(percent),
    label: `${formatPercent(campus, percent)} off`,
  })),
  { value: samePrice, label: 'One price' },
];

/** Asks how the prices of several listings change. */
export function BulkPriceDialog({ count, onChoose, onClose }: BulkPriceDialogProps) {
  const id = useId();
  const campus = useCampus();
  const form = useContractForm<{ mode: string; price: string }, PriceChange>({
    schema: (values) =>
      values.mode === samePrice
        ? createChangePriceSchema(campus).safeParse(values)
        : { success: true, data: { percent: Number(values.mode) } },
    defaultValues: { mode: '10', price: '' },
    editing: 'clears',
  });
  const mode = useWatch({ control: form.control, name: 'mode' });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={count === 1 ? 'Change the price' : `Change ${count} prices`}
      size="sm"
      actions={
        <>
          <DialogClose>
            <Button variant="secondary">Cancel</Button>
          </DialogClose>
          <Button type="submit" form={id}>
            Change
          </Button>
        </>
      }
    >
      <form
        id={id}
        noValidate
        className="flex flex-col gap-5"
        onSubmit={(event) => void form.handleSubmit(onChoose)(event)}
      >
        <RadioGroup
          aria-label="New price"
          look="chips"
          options={listOptions(campus)}
          {...form.register('mode')}
        />
        {mode === samePrice && (
          <Field label="Price" error={form.formState.errors.price?.message} required>
            <PriceInput {...form.register('price')} />
          </Field>
        )}
      </form>
    </Dialog>
  );
}
