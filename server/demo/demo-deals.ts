import { randomUUID } from 'node:crypto';
import { type Campus, toCampusDay } from '#contract/campus.ts';
import { addDays } from '#contract/days.ts';
import { createDealTransitionSchema, createStartDealSchema, type Deal } from '#contract/deals.ts';
import { markMessagesRead, openConversation, sendMessage } from '#server/features/conversations/public.ts';
import { addRentalPhotos, makeDealTransition, startDeal } from '#server/features/deals/public.ts';
import { listMeetingSpots } from '#server/features/handovers/public.ts';
import { buildMessagePhotoObjectPath } from '#server/features/photos/public.ts';
import { writeReview } from '#server/features/reviews/public.ts';
import type { Transaction } from '#server/platform/postgres/database.ts';
import type { DemoDeal, DemoDealStep, DemoRentalPhotos, DemoTransition } from './deal-data.ts';
import { parseDemoTime } from './demo-times.ts';
import { deriveDemoId } from './ids.ts';
import { createPastApp, type PastApp } from './past-app.ts';
import { getPersonByName, type OwnedPhoto, type PlannedListing, type SeededPerson } from './plan-listings.ts';
import { markConversationAsRead } from './rows.ts';

interface Parties {
  buyer: string;
  seller: string;
}

/** A demo deal with its parties and the results of the steps made so far. */
interface PlayedDeal {
  deal: DemoDeal;
  listing: PlannedListing;
  parties: Parties;
  conversationId?: string;
  /** The deal in its state after the latest step. */
  current?: Deal;
  lastActor?: keyof Parties;
}

interface PlayContext {
  past: PastApp;
  campus: Campus;
  start: Date;
}

const quarterHour = 15 * 60 * 1000;

/** Returns the time of a handover, rounded up to a quarter of an hour. */
const toHandoverTime = (time: string, context: PlayContext): string =>
  new Date(Math.ceil(parseDemoTime(time, context).getTime() / quarterHour) * quarterHour).toISOString();

const toDay = (days: number, { campus, start }: PlayContext): string =>
  addDays(toCampusDay(campus, start), days);

const getDeal = ({ current }: PlayedDeal): Deal => {
  if (!current) throw new Error('The deal has not started');
  return current;
};

const startDemoDeal = async (
  played: PlayedDeal,
  { start: { price, days, times, text } }: Extract<DemoDealStep, { start: object }>,
  context: PlayContext,
): Promise<void> => {
  const [first, last] = days ?? [];
  const [pickup, returned] = times ?? [];
  const body = createStartDealSchema(context.campus).parse({
    client_id: randomUUID(),
    listing_id: played.listing.id,
    ...(price === undefined ? {} : { price }),
    ...(first === undefined ? {} : { first_day: toDay(first, context) }),
    ...(last === undefined ? {} : { last_day: toDay(last, context) }),
    ...(pickup ? { pickup_time: pickup } : {}),
    ...(returned ? { return_time: returned } : {}),
    ...(text === undefined ? {} : { message_text: text }),
  });
  played.current = await startDeal(context.past.app, played.parties.buyer, body);
  played.conversationId = played.current.conversation_id;
};

/** Returns the place of a handover: a meeting spot of the campus, or free text if the campus has none. */
const findPlace = async ({ spot, place }: DemoTransition, { past }: PlayContext): Promise<object> => {
  const spots = spot === undefined ? [] : (await listMeetingSpots(past.app)).items;
  const chosen = spot === undefined ? undefined : spots[spot % spots.length];
  return chosen ? { spot_id: chosen.id } : { place };
};

const takeTransition = async (
  played: PlayedDeal,
  step: DemoTransition,
  context: PlayContext,
): Promise<void> => {
  const [userId, current] = [played.parties[step.by], getDeal(played)];
  const { handover } = current;
  const data = {
    price: step.price,
    reason: step.reason,
    last_day: step.lastDay === undefined ? undefined : toDay(step.lastDay, context),
    times: step.times?.map((time) => toHandoverTime(time, context)),
    time: handover?.proposal?.times[step.choice ?? 0],
    ...(step.take === 'propose_handover' ? await findPlace(step, context) : {}),
  };
  played.current = await makeDealTransition(
    context.past.app,
    userId,
    current.id,
    createDealTransitionSchema(context.campus).parse({
      client_id: randomUUID(),
      transition: step.take,
      ...data,
    }),
  );
};

/** Returns the id of a photo in a step of a deal, the same each time the demo campus is created. */
const derivePhotoId = ({ listing, buyer }: DemoDeal, { at }: DemoRentalPhotos, picture: string): string =>
  deriveDemoId(`${listing} ${buyer} ${at} ${picture}`);

const addPhotos = async (
  played: PlayedDeal,
  step: DemoRentalPhotos,
  { past }: PlayContext,
): Promise<void> => {
  const photos = step.photos.map((picture) => derivePhotoId(played.deal, step, picture));
  const body = { client_id: randomUUID(), step: step.step, photos };
  await addRentalPhotos(past.app, played.parties[step.by], getDeal(played).id, body);
};

const playMessage = async (
  played: PlayedDeal,
  { by, text }: { by: keyof Parties; text: string },
  { past: { app } }: PlayContext,
): Promise<void> => {
  const { buyer } = played.parties;
  played.conversationId ??= (await openConversation(app, buyer, played.listing.id)).id;
  await sendMessage(app, {
    id: played.conversationId,
    userId: played.parties[by],
    clientId: randomUUID(),
    text,
  });
};

/** Before a party acts, marks the other party's messages and steps as read. */
const readLatest = async (
  played: PlayedDeal,
  actor: keyof Parties,
  { past: { app } }: PlayContext,
): Promise<void> => {
  const isNew = played.lastActor !== undefined && played.lastActor !== actor;
  played.lastActor = actor;
  if (!isNew || played.conversationId === undefined) return;
  // Pass the highest possible number to mark everything as read; the service limits it to the newest
  // message's number.
  const seq = Number.MAX_SAFE_INTEGER;
  await markMessagesRead(app, { id: played.conversationId, userId: played.parties[actor], seq });
};

const playStep = async (played: PlayedDeal, step: DemoDealStep, context: PlayContext): Promise<void> => {
  await readLatest(played, 'by' in step ? step.by : 'buyer', context);
  if ('start' in step) await startDemoDeal(played, step, context);
  else if ('take' in step) await takeTransition(played, step, context);
  else if ('text' in step) await playMessage(played, step, context);
  else if ('photos' in step) await addPhotos(played, step, context);
  else await writeReview(context.past.app, played.parties[step.by], getDeal(played).id, step.review);
  await context.past.settle();
};

const planDeal = (
  deal: DemoDeal,
  { people, listings }: { people: ReadonlyMap<string, SeededPerson>; listings: readonly PlannedListing[] },
): PlayedDeal => {
  const listing = listings.find(({ title }) => title === deal.listing);
  if (!listing) throw new Error(`The demo campus has no listing '${deal.listing}'`);
  return {
    deal,
    listing,
    parties: { buyer: getPersonByName(people, deal.buyer).id, seller: listing.seller.id },
  };
};

/** Lists the photos of the demo deals, which have to be stored before the deals are created. */
export const listDealPhotos = (
  deals: readonly DemoDeal[],
  {
    campus,
    start,
    ...plan
  }: {
    people: ReadonlyMap<string, SeededPerson>;
    listings: readonly PlannedListing[];
    campus: Campus;
    start: Date;
  },
): OwnedPhoto[] =>
  deals.flatMap((deal) => {
    const { parties } = planDeal(deal, plan);
    return deal.steps.flatMap((step) => {
      if (!('photos' in step)) return [];
      const ownerId = parties[step.by];
      const createdAt = parseDemoTime(step.at, { campus, start });
      return step.photos.map((picture): OwnedPhoto => {
        const path = buildMessagePhotoObjectPath(ownerId, derivePhotoId(deal, step, picture));
        return { picture, bucket: 'message-photos', path, ownerId, createdAt };
      });
    });
  });

/**
 * Creates the deals of the demo campus, with their messages and reviews, in chronological order and
 * through the same functions as real deals. Throws when a step is not possible at its time.
 */
export const createDemoDeals = async (
  transaction: Transaction,
  {
    deals,
    campus,
    start,
    ...plan
  }: {
    deals: readonly DemoDeal[];
    people: ReadonlyMap<string, SeededPerson>;
    listings: readonly PlannedListing[];
    campus: Campus;
    start: Date;
  },
): Promise<void> => {
  const past = createPastApp(transaction, campus);
  const context = { past, campus, start };
  const allPlayed = deals.map((deal) => planDeal(deal, plan));
  const steps = allPlayed
    .flatMap((played) =>
      played.deal.steps.map((step) => ({ played, step, time: parseDemoTime(step.at, context) })),
    )
    .sort((a, b) => a.time.getTime() - b.time.getTime());
  for (const { played, step, time } of steps) {
    await past.moveTo(time);
    try {
      await playStep(played, step, context);
    } catch (error) {
      const { listing, buyer } = played.deal;
      throw new Error(`demo/deals.json: '${listing}' and ${buyer}, ${step.at}: ${error}`, { cause: error });
    }
  }
  await past.moveTo(start);
  for (const { conversationId, deal } of allPlayed)
    if (conversationId !== undefined) await markConversationAsRead(transaction, conversationId, deal.unread);
  await past.finish();
};
