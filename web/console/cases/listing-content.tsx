import type { Campus, CampusMoney } from '#contract/campus.ts';
import { categoryLabels, conditionLabels } from '#contract/categories.ts';
import { type CategoryColumn, categoryFieldEntries, formatCategoryValue } from '#contract/category-fields.ts';
import type { PublicContent } from '#contract/listings.ts';
import { formatPrice } from '#contract/prices.ts';
import { giftModeLabels, rentalPeriodLabels } from '#contract/selling.ts';
import { formatShortDay } from '#web/lib/format.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { DescriptionList } from '../description-list.tsx';

/** A listing's content without its photos. Fields that earlier versions did not store are missing. */
export type ListingContentProps = {
  [Field in Exclude<keyof PublicContent, 'photos'>]?: PublicContent[Field] | undefined;
};

type Fact = Exclude<keyof ListingContentProps, 'title' | 'description' | CategoryColumn>;

/** The label and the text of each public field, or no text where the field is missing or does not apply. */
const facts: Record<
  Fact,
  readonly [label: string, format: (content: ListingContentProps, campus: Campus) => string | null]
> = {
  price: ['Price', ({ price }, campus) => (typeof price === 'number' ? formatPrice(campus, price) : null)],
  rental_period: [
    'Price is for',
    ({ category, rental_period: period }) =>
      category === 'rentals' && period ? rentalPeriodLabels[period] : null,
  ],
  is_price_firm: ['Offers', ({ is_price_firm: isFirm }) => (isFirm ? 'The price is firm' : null)],
  gift_mode: [
    'Who gets it',
    ({ category, gift_mode: mode }) => (category === 'free' && mode ? giftModeLabels[mode] : null),
  ],
  category: ['Category', ({ category }) => (category ? categoryLabels[category] : null)],
  condition: ['Condition', ({ condition }) => (condition ? conditionLabels[condition] : null)],
  game_date: ['Game date', ({ game_date: day }, campus) => (day ? formatShortDay(day, campus) : null)],
  location: ['Location', ({ location }) => location || null],
  contact_email: ['Contact email', ({ contact_email: email }) => email || null],
  contact_phone: ['Contact phone', ({ contact_phone: phone }) => phone || null],
};

const listCategoryFacts = (content: ListingContentProps, money: CampusMoney) =>
  categoryFieldEntries.map(
    ([, field]) =>
      [field.label, formatCategoryValue(field, content[field.column as CategoryColumn], money)] as const,
  );

/** Shows everything that a listing shows to others, except its photos. */
export function ListingContent(content: ListingContentProps) {
  const campus = useCampus();
  return (
    <div className="break-words">
      <p dir="auto" className="font-semibold">
        {content.title || 'Untitled'}
      </p>
      <p dir="auto" className="mt-1 whitespace-pre-wrap">
        {content.description}
      </p>
      <DescriptionList
        facts={[
          ...Object.values(facts).map(([label, format]) => [label, format(content, campus)] as const),
          ...listCategoryFacts(content, campus),
        ].filter((fact): fact is readonly [string, string] => fact[1] !== null)}
      />
    </div>
  );
}
