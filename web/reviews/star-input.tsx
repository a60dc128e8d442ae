import { clsx } from 'clsx';
import { Star } from 'lucide-react';
import { type Ref, useId } from 'react';
import { maxRating } from '#contract/reviews.ts';
import { useFieldGroup } from '#web/ui/field.tsx';

export interface StarInputProps {
  /** The number of stars; 0 before one is chosen. */
  value: number;
  onChange: (value: number) => void;
  /** Ref to the radio button that takes the focus if the form is sent without stars. */
  ref?: Ref<HTMLInputElement>;
}

const ratings = Array.from({ length: maxRating }, (_, index) => index + 1);

/** Radio buttons that look like stars, labeled by the surrounding Field. */
export function StarInput({ value, onChange, ref }: StarInputProps) {
  const name = useId();
  const { 'aria-invalid': invalid, 'aria-required': required, ...group } = useFieldGroup();
  return (
    <div role="radiogroup" aria-invalid={invalid} aria-required={required} {...group} className="-ml-2 flex">
      {ratings.map((rating) => (
        <label
          key={rating}
          className="relative grid size-12 cursor-pointer place-items-center rounded-md has-focus-visible:outline-3 has-focus-visible:outline-focus"
        >
          <input
            ref={rating === 1 ? ref : undefined}
            type="radio"
            name={name}
            value={rating}
            checked={value === rating}
            onChange={() => onChange(rating)}
            className="sr-only"
          />
          <span className="sr-only">{rating === 1 ? '1 star' : `${rating} stars`}</span>
          <Star
            aria-hidden="true"
            className={clsx('size-8', rating <= value ? 'fill-gold text-gold' : 'text-line-strong')}
          />
        </label>
      ))}
    </div>
  );
}
