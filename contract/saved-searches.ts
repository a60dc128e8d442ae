import { z } from 'zod';
import { type SavedSearchQuery, savedSearchQuerySchema } from './listing-queries.ts';
import { createSingleLineTextSchema, idSchema, instantSchema } from './text.ts';

/**
 * When a person is notified of new matches of a saved search: soon after their publication, once a day, or
 * never.
 */
export const searchAlertFrequencies = ['instant', 'daily', 'off'] as const;
export type SearchAlertFrequency = (typeof searchAlertFrequencies)[number];

export const maxSearchNameLength = 80;

export const savedSearchErrorMessages = {
  nameMissing: 'Please enter a name for this search',
  nameLong: `The name must be at most ${maxSearchNameLength} characters`,
  instant: 'Instant alerts need a search text, or a category with a filter',
  seller: 'This person is no longer on the site',
} as const;

/**
 * Returns whether a search is specific enough for instant alerts: it has a search text, or a category and a
 * filter.
 */
export const canAlertInstantly = ({ q, category, ...filters }: SavedSearchQuery): boolean =>
  Boolean(q) ||
  (category !== undefined &&
    Object.values(filters).some((value) => value !== undefined && value !== '' && value !== 'false'));

const nameSchema = createSingleLineTextSchema({
  required: savedSearchErrorMessages.nameMissing,
  min: { length: 1, sentence: savedSearchErrorMessages.nameMissing },
  max: { length: maxSearchNameLength, sentence: savedSearchErrorMessages.nameLong },
});

const savedSearchContentSchema = z.object({
  name: nameSchema,
  query: savedSearchQuerySchema,
  alert: z.enum(searchAlertFrequencies),
});

/**
 * Body of POST /rest/v1/me/saved-searches, which saves a search. `restores` is the id of a search that was deleted moments
 * ago; the server restores it completely if it still exists.
 */
export const savedSearchBodySchema = savedSearchContentSchema.extend({ restores: idSchema.optional() });
export type SavedSearchBody = z.infer<typeof savedSearchBodySchema>;

/**
 * Body of PATCH /rest/v1/me/saved-searches/{id}. Omitted fields stay unchanged. `visited` tells the server
 * that the person is looking at the results, so that only later matches count as new. `results_at` is when the server
 * read these results, which a browser may have cached; by default, now.
 */
export const savedSearchChangeSchema = savedSearchContentSchema
  .partial()
  .extend({ visited: z.literal(true).optional(), results_at: instantSchema.optional() });
export type SavedSearchChange = z.infer<typeof savedSearchChangeSchema>;

/** A search that the caller saved. Its query contains only the search text and filters. */
export const savedSearchSchema = z.object({
  id: idSchema,
  name: z.string(),
  query: savedSearchQuerySchema,
  alert: z.enum(searchAlertFrequencies),
  created_at: instantSchema,
  /**
   * When the person last looked at the results. Until the first visit, this is the time at which the search
   * was saved.
   */
  visited_at: instantSchema,
});
export type SavedSearch = z.infer<typeof savedSearchSchema>;

/**
 * A saved search with the number of new matches since the person's last visit: exact up to 99; 100 means
 * "more than 99".
 */
export const savedSearchWithNewCountSchema = savedSearchSchema.extend({ new_count: z.int() });
export type SavedSearchWithNewCount = z.infer<typeof savedSearchWithNewCountSchema>;

/**
 * A saved search after a change. If the change recorded a visit, `new_listing_ids` contains the ids of up to 100
 * listings that were new at that moment; otherwise it is empty.
 */
export const changedSavedSearchSchema = savedSearchSchema.extend({ new_listing_ids: z.array(idSchema) });
export type ChangedSavedSearch = z.infer<typeof changedSavedSearchSchema>;

/**
 * Returns the path of the page with the results of a saved search: the search page if it has a search text, otherwise
 * the page of its category or of all categories.
 */
export const getSavedSearchPath = ({ category, ...query }: SavedSearchQuery): string => {
  const path = query.q ? '/search' : category ? `/category/${category}` : '/browse';
  const { q, min_price: from, max_price: to, available, ...filters } = query;
  const parameters = new URLSearchParams();
  const add = (name: string, value: string | undefined): void => {
    if (value) parameters.set(name, value);
  };
  add('q', q);
  if (path === '/search') add('category', category);
  if (from !== undefined || to !== undefined) add('price', `${from ?? 0}-${to ?? ''}`);
  for (const [name, value] of Object.entries(filters)) add(name, value);
  // The category page of rentals leaves out items that are rented out today unless its URL says otherwise.
  if (path === '/category/rentals' && available !== 'true') add('available', 'any');
  return parameters.size > 0 ? `${path}?${parameters}` : path;
};
