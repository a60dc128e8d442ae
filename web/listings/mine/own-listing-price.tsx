import { Check, Pencil, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import { createChangePriceSchema } from '#contract/listing-form.ts';
import { formatPriceField } from '#contract/price-fields.ts';
import { formatPrice } from '#contract/prices.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { useContractForm } from '#web/lib/use-contract-form.ts';
import { Field } from '#web/ui/field.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Price } from '#web/ui/price.tsx';
import { PriceInput } from '#web/ui/price-input.tsx';

export interface OwnListingPriceProps {
  /** Null in a draft without one. */
  price: number | null;
  unit: string | undefined;
  /** The title of the listing, for screen readers. */
  title: string;
  /** Changes the price. If that fails, returns the messages about the fields, which may be none. */
  onPrice: (price: number) => Promise<Record<string, string> | undefined>;
}

/** The price of an own listing, which a tap turns into a field. */
export function OwnListingPrice({ unit, ...props }: OwnListingPriceProps) {
  const { price, title } = props;
  const campus = useCampus();
  const [isEditing, setIsEditing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    if (wasEditing.current && !isEditing) button.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  if (isEditing) return <PriceForm {...props} onClose={() => setIsEditing(false)} />;
  return (
    <button
      ref={button}
      type="button"
      aria-label={
        price === null
          ? `No price yet: set the price of ${title}`
          : `Change price of ${title}, ${formatPrice(campus, price)}${unit ?? ''}`
      }
      className="relative z-1 -my-2.5 flex min-h-11 min-w-11 items-center gap-1.5 self-start rounded-sm text-start -outline-offset-3 decoration-dotted underline-offset-4 hover:underline max-md:underline md:text-xl"
      onClick={() => setIsEditing(true)}
    >
      {price === null ? (
        <span className="text-ink-muted text-sm md:text-base">No price yet</span>
      ) : (
        <Price amount={price} unit={unit} />
      )}
      <Pencil aria-hidden="true" className="size-3.5 shrink-0 text-ink-muted max-md:hidden" />
    </button>
  );
}

function PriceForm({
  price,
  title,
  onPrice,
  onClose,
}: Omit<OwnListingPriceProps, 'unit'> & { onClose: () => void }) {
  const campus = useCampus();
  const form = useContractForm<{ price: string }, z.output<ReturnType<typeof createChangePriceSchema>>>({
    schema: (values) => createChangePriceSchema(campus).safeParse(values),
    defaultValues: { price: price === null ? '' : formatPriceField(campus, price, false) },
    editing: 'clears',
  });
  const { setFocus } = form;
  useEffect(() => setFocus('price', { shouldSelect: true }), [setFocus]);
  const save = form.handleSubmit(async (body) => {
    const refused = body.price === price ? undefined : await onPrice(body.price);
    if (refused) form.showFieldErrors(refused);
    else onClose();
  });
  return (
    <form
      noValidate
      aria-label={`Price of ${title}`}
      className="flex items-start"
      onSubmit={(event) => void save(event)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <Field label="Price" hideLabel error={form.formState.errors.price?.message} className="w-28">
        <PriceInput {...form.register('price')} />
      </Field>
      <IconButton label="Save price" type="submit" disabled={form.formState.isSubmitting}>
        <Check aria-hidden="true" />
      </IconButton>
      <IconButton label="Cancel" onClick={onClose}>
        <X aria-hidden="true" />
      </IconButton>
    </form>
  );
}
