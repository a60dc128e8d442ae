import { z } from 'zod';
import { categories } from './categories.ts';
import { parseIsbn } from './isbn.ts';
import { listingErrorMessages } from './listing-form.ts';
import { foldText } from './search-text.ts';
import { createStorableTextSchema } from './text.ts';

/** Query of GET /rest/v1/sale-prices: what is sold. */
export const salePriceQuerySchema = z.object({
  category: z.enum(categories),
  title: createStorableTextSchema(listingErrorMessages.titleLong, 400),
  isbn: createStorableTextSchema(listingErrorMessages.titleLong, 400).optional(),
});
export type SalePriceQuery = z.output<typeof salePriceQuerySchema>;

/** What similar things sold for here in the last half year, or null when too few did. */
export const salePricesSchema = z.object({
  range: z.object({ low: z.number(), high: z.number() }).nullable(),
});
export type SalePrices = z.output<typeof salePricesSchema>;

/** Number of leading words of a title that similar things share. */
const leadingWords = 2;

/**
 * Returns the keys of similar things, the most exact one first: the same ISBN, or the same category and leading words of the
 * title. A title of one word has none.
 */
export const listSalePriceKeys = ({
  category,
  title,
  isbn,
}: {
  category: string;
  title: string;
  isbn?: string | null | undefined;
}): string[] => {
  const parsed = parseIsbn(isbn ?? '');
  const words = foldText(title)
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '' && word !== 'a' && word !== 'the')
    .slice(0, leadingWords);
  return [
    ...(parsed ? [`isbn ${parsed}`] : []),
    ...(words.length === leadingWords ? [`${category} ${words.join(' ')}`] : []),
  ];
};
