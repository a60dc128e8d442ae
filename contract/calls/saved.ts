import { z } from 'zod';
import { successResponseSchema } from '../accounts.ts';
import { savedListingIdsSchema, savedListingPageSchema, savedListingQuerySchema } from '../saved-listings.ts';
import {
  changedSavedSearchSchema,
  savedSearchBodySchema,
  savedSearchChangeSchema,
  savedSearchSchema,
  savedSearchWithNewCountSchema,
} from '../saved-searches.ts';
import { idSchema } from '../text.ts';
import { createItemListSchema, declareCall, idParamsSchema } from './declare-call.ts';

const savedListingParamsSchema = z.object({ listing_id: idSchema });

/** Calls about saved listings and saved searches. */
export const savedListingAndSearchCalls = {
  // Calls about saved listings
  listSavedListings: declareCall({
    method: 'GET',
    path: '/rest/v1/me/saved-listings',
    summary:
      'The listings that the caller saved, the latest saves first, 24 at a time, as they were then and as they are now.',
    access: 'user',
    query: savedListingQuerySchema,
    output: savedListingPageSchema,
    errors: [],
  }),
  listSavedIds: declareCall({
    method: 'GET',
    path: '/rest/v1/me/saved-listings/ids',
    summary: 'The ids of all listings that the caller saved, the latest saves first.',
    access: 'user',
    output: savedListingIdsSchema,
    errors: [],
  }),
  saveListing: declareCall({
    method: 'PUT',
    path: '/rest/v1/me/saved-listings/{listing_id}',
    summary: 'Saves a listing of somebody else; nothing changes when it is saved already.',
    access: 'user',
    params: savedListingParamsSchema,
    output: successResponseSchema,
    notFound: 'listing_not_found',
    errors: ['own_listing', 'saved_listings_full'],
    limit: 'write',
  }),
  saveListings: declareCall({
    method: 'POST',
    path: '/rest/v1/me/saved-listings',
    summary:
      'Saves the listings that were saved while nobody was signed in, if they exist and there is room; returns the ids of everything that is saved.',
    access: 'user',
    body: savedListingIdsSchema,
    output: savedListingIdsSchema,
    errors: [],
    limit: 'write',
  }),
  removeSavedListing: declareCall({
    method: 'DELETE',
    path: '/rest/v1/me/saved-listings/{listing_id}',
    summary: 'Removes a listing from those that the caller saved; nothing changes when it is not saved.',
    access: 'user',
    params: savedListingParamsSchema,
    output: successResponseSchema,
    notFound: 'listing_not_found',
    errors: [],
    limit: 'write',
  }),
  removeUnavailableListings: declareCall({
    method: 'DELETE',
    path: '/rest/v1/me/saved-listings/unavailable',
    summary: 'Removes the listings from those that the caller saved that are sold or no longer available.',
    access: 'user',
    output: successResponseSchema,
    errors: [],
    limit: 'write',
  }),

  // Calls about saved searches
  listSavedSearches: declareCall({
    method: 'GET',
    path: '/rest/v1/me/saved-searches',
    summary:
      'The searches that the caller saved, at most 25, the latest first, each with the number of matches since the last visit.',
    access: 'user',
    output: createItemListSchema(savedSearchWithNewCountSchema),
    errors: [],
  }),
  saveSearch: declareCall({
    method: 'POST',
    path: '/rest/v1/me/saved-searches',
    summary:
      'Saves a search text with filters, as the call that lists listings takes them. A search that is saved already gets the new name and alert; a search that was deleted moments ago is restored if `restores` names it.',
    access: 'user',
    body: savedSearchBodySchema,
    output: savedSearchSchema,
    errors: ['saved_searches_full', 'rate_limited'],
    limit: 'write',
  }),
  changeSavedSearch: declareCall({
    method: 'PATCH',
    path: '/rest/v1/me/saved-searches/{id}',
    summary:
      'Changes the name, the query or the alert of a saved search, or records that the caller looks at its results.',
    access: 'user',
    params: idParamsSchema,
    body: savedSearchChangeSchema,
    output: changedSavedSearchSchema,
    notFound: 'saved_search_not_found',
    errors: [],
    limit: 'write',
  }),
  deleteSavedSearch: declareCall({
    method: 'DELETE',
    path: '/rest/v1/me/saved-searches/{id}',
    summary:
      'Deletes a saved search, which saving it with `restores` undoes for some seconds; nothing changes when it is deleted already.',
    access: 'user',
    params: idParamsSchema,
    output: successResponseSchema,
    notFound: 'saved_search_not_found',
    errors: [],
    limit: 'write',
  }),
} as const;
