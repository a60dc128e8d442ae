import { z } from 'zod';
import { messageSchema } from '../conversations.ts';
import {
  changedDealSchema,
  createDealTransitionSchema,
  createStartDealSchema,
  dealPageSchema,
  dealQuerySchema,
  dealQueueSchema,
  dealSchema,
  listingDealInfoSchema,
} from '../deals.ts';
import { meetingSpotSchema } from '../meeting-spots.ts';
import { addRentalPhotosSchema, rentalPhotoParamsSchema, rentalPhotoSchema } from '../rental-photos.ts';
import { gameSchema } from '../schedule.ts';
import { createItemListSchema, declareCall, idParamsSchema } from './declare-call.ts';

/** Calls that read deals, make their transitions and arrange their handovers. */
export const dealCalls = {
  // Calls that start, read and change deals
  startDeal: declareCall({
    method: 'POST',
    path: '/rest/v1/deals',
    summary:
      'Starts a deal about a published listing, as its buyer; the same client_id again answers with the deal that was started.',
    access: 'user',
    body: (_today, campus) => createStartDealSchema(campus),
    output: dealSchema,
    errors: [
      'listing_not_found',
      'own_listing',
      'contact_refused',
      'deal_moved_on',
      'seller_away',
      'campus_badge_required',
      'membership_ended',
      'too_many_offers',
      'rate_limited',
    ],
    limit: 'deal',
  }),
  makeDealTransition: declareCall({
    method: 'POST',
    path: '/rest/v1/deals/{id}/transitions',
    summary:
      'Makes one transition of a deal; the same client_id again changes nothing. Where the transition is not possible (any more), the error contains the deal as it is now. A handover can be suggested and agreed for further deals of the same two people at once (also_for).',
    access: 'user',
    params: idParamsSchema,
    body: (_today, campus) => createDealTransitionSchema(campus),
    output: changedDealSchema,
    notFound: 'deal_not_found',
    errors: ['deal_moved_on', 'contact_refused'],
    limit: 'deal',
  }),
  listDeals: declareCall({
    method: 'GET',
    path: '/rest/v1/deals',
    summary: "The caller's deals, the newest first, thirty at a time.",
    access: 'user',
    query: dealQuerySchema,
    output: dealPageSchema,
    errors: [],
  }),
  findListingDeal: declareCall({
    method: 'GET',
    path: '/rest/v1/deals/about/{id}',
    summary: "The caller's open deal about a listing, and how many other people have an open offer.",
    access: 'user',
    params: idParamsSchema,
    output: listingDealInfoSchema,
    notFound: 'listing_not_found',
    errors: [],
  }),
  getDeal: declareCall({
    method: 'GET',
    path: '/rest/v1/deals/{id}',
    summary: "One of the caller's deals.",
    access: 'user',
    params: idParamsSchema,
    output: dealSchema,
    notFound: 'deal_not_found',
    errors: [],
  }),
  listRentalPhotos: declareCall({
    method: 'GET',
    path: '/rest/v1/deals/{id}/photos',
    summary: "The photos of the item's condition in one of the caller's rentals, the oldest first.",
    access: 'user',
    params: idParamsSchema,
    output: createItemListSchema(rentalPhotoSchema),
    notFound: 'deal_not_found',
    errors: [],
  }),
  addRentalPhotos: declareCall({
    method: 'POST',
    path: '/rest/v1/deals/{id}/photos',
    summary:
      "Sends photos of the item's condition at pick-up or at return as a message, five of each person for each; the same client_id again answers with the stored message and writes nothing.",
    access: 'user',
    params: idParamsSchema,
    body: addRentalPhotosSchema,
    output: messageSchema,
    notFound: 'deal_not_found',
    errors: [
      'rental_photos_closed',
      'recipient_gone',
      'contact_refused',
      'membership_ended',
      'message_photo_gone',
      'rate_limited',
    ],
    limit: 'message',
  }),
  removeRentalPhotos: declareCall({
    method: 'DELETE',
    path: '/rest/v1/deals/{id}/photos/{message_id}',
    summary:
      "Unsends one of the caller's messages with photos of the item's condition, until its step is over, or after a rental that was canceled before the handover; again, it changes nothing.",
    access: 'user',
    params: rentalPhotoParamsSchema,
    output: messageSchema,
    notFound: 'message_not_found',
    errors: ['rental_photos_kept'],
    limit: 'write',
  }),
  listHandovers: declareCall({
    method: 'GET',
    path: '/rest/v1/me/handovers',
    summary:
      "The caller's deals with an agreed handover until three hours after it, the next one first, fifty at most.",
    access: 'user',
    output: createItemListSchema(dealSchema),
    errors: [],
  }),
  downloadHandoversCalendar: declareCall({
    method: 'GET',
    path: '/rest/v1/me/handovers/calendar',
    summary: "The caller's coming handovers as one iCalendar file.",
    access: 'user',
    output: z.string(),
    file: { type: 'text/calendar; charset=utf-8', name: 'handovers.ics' },
    errors: ['handover_not_agreed'],
  }),
  downloadHandoverCalendar: declareCall({
    method: 'GET',
    path: '/rest/v1/deals/{id}/calendar',
    summary: "The agreed handover of one of the caller's deals as an iCalendar file.",
    access: 'user',
    params: idParamsSchema,
    output: z.string(),
    file: { type: 'text/calendar; charset=utf-8', name: 'handover.ics' },
    notFound: 'deal_not_found',
    errors: ['handover_not_agreed'],
  }),
  listDealsOfListing: declareCall({
    method: 'GET',
    path: '/rest/v1/me/listings/{id}/deals',
    summary:
      "The open deals of one of the caller's listings: the hold first, then the offers in their order.",
    access: 'user',
    params: idParamsSchema,
    output: dealQueueSchema,
    notFound: 'listing_not_found',
    errors: [],
  }),

  // Calls about the handover: where and when the parties of a deal meet
  listMeetingSpots: declareCall({
    method: 'GET',
    path: '/rest/v1/meeting-spots',
    summary: 'The meeting spots of the campus by name; facts that no administrator has confirmed are null.',
    access: 'anyone',
    output: createItemListSchema(meetingSpotSchema),
    errors: [],
  }),
  listGames: declareCall({
    method: 'GET',
    path: '/rest/v1/games',
    summary: 'The coming games and events of the campus, the next one first.',
    access: 'anyone',
    output: createItemListSchema(gameSchema),
    errors: [],
  }),
} as const;
