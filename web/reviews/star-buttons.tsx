import { Star } from 'lucide-react';
import { maxRating } from '#contract/reviews.ts';

export interface StarButtonsProps {
  label: string;
  onChoose: (rating: number) => void;
}

/** A button for each rating. The stars up to the one under the pointer or with the focus are filled. */
export function StarButtons({ label, onChoose }: StarButtonsProps) {
  return (
    <fieldset className="min-w-0">
      <legend className="font-semibold">{label}</legend>
      <div className="-ml-2.5 flex">
        {Array.from({ length: maxRating }, (_, index) => index + 1).map((rating) => (
          <button
            key={rating}
            type="button"
            aria-label={rating === 1 ? '1 star' : `${rating} stars`}
            onClick={() => onChoose(rating)}
            className="group/star grid size-12 cursor-pointer place-items-center rounded-md"
          >
            <Star
              aria-hidden="true"
              className="size-8 text-line-strong group-hover/star:fill-gold group-hover/star:text-gold group-focus-visible/star:fill-gold group-focus-visible/star:text-gold group-has-[~button:hover]/star:fill-gold group-has-[~button:hover]/star:text-gold group-has-[~button:focus-visible]/star:fill-gold group-has-[~button:focus-visible]/star:text-gold"
            />
          </button>
        ))}
      </div>
    </fieldset>
  );
}
