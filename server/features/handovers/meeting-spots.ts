import { type Campus, defaultCampus } from '#contract/campus.ts';
import { createProblem } from '#contract/errors.ts';
import {
  type MeetingSpot,
  type MeetingSpotFacts,
  maxMeetingSpots,
  meetingSpotFactsSchema,
} from '#contract/meeting-spots.ts';
import type { App } from '#server/app.ts';
import { noteSecurityEvent } from '#server/features/audit/public.ts';
import { isUniqueViolation, type Queryable, runInTransaction } from '#server/platform/postgres/database.ts';
import { defaultMeetingSpots } from './default-meeting-spots.ts';
import * as repository from './meeting-spot-repository.ts';

/** Returns a spot as everybody sees it: unconfirmed facts count as unknown. */
const presentSpot = ({ confirmed_at: confirmedAt, ...spot }: repository.StoredSpot): MeetingSpot =>
  confirmedAt
    ? spot
    : { ...spot, is_indoors: null, is_lit: null, has_camera_or_phone: null, opening_hours: null };

export const listMeetingSpots = async (app: App): Promise<{ items: MeetingSpot[] }> => ({
  items: (await repository.listSpots(app.sql)).map(presentSpot),
});

/**
 * Adds the meeting spots that come with the default campus, or with the file of another one. Spots that an administrator
 * changed or removed stay as they are.
 */
export const addDefaultMeetingSpots = async (
  sql: Queryable,
  campus: Pick<Campus, 'domain'>,
  campusSpots: Parameters<typeof repository.insertMissingSpots>[1] = [],
): Promise<void> => {
  const spots = campus.domain === defaultCampus.domain ? defaultMeetingSpots : campusSpots;
  if (spots.length > 0) await repository.insertMissingSpots(sql, spots);
};

const confirmableFacts = ['is_indoors', 'is_lit', 'has_camera_or_phone', 'opening_hours'] as const;

const createRefusal = (sentence: string) => createProblem('validation_failed', { sentence });

const parseFacts = (facts: MeetingSpotFacts): MeetingSpotFacts => {
  const parsed = meetingSpotFactsSchema.safeParse(facts);
  if (parsed.success) return parsed.data;
  throw createRefusal(parsed.error.issues[0]?.message ?? 'These facts are not valid');
};

const refuseTakenName =
  (name: string) =>
  (error: unknown): never => {
    if (isUniqueViolation(error)) throw createRefusal(`There is already a meeting spot ${name}`);
    throw error;
  };

const getSpot = async (tx: Queryable, idOrName: string): Promise<repository.StoredSpot> => {
  const spot = await repository.findAndLockSpot(tx, idOrName);
  if (spot) return spot;
  const removedName = await repository.findRemovedSpotName(tx, idOrName);
  throw createProblem('not_found', {
    sentence: removedName
      ? `The meeting spot ${removedName} was removed`
      : `There is no meeting spot ${idOrName}`,
  });
};

/** Lists the meeting spots as administrators see them, including unconfirmed facts. */
export const listStoredMeetingSpots = (app: App): Promise<repository.StoredSpot[]> =>
  repository.listSpots(app.sql);

/** Adds a meeting spot. Throws validation_failed for invalid facts, a taken name and too many spots. */
export const addMeetingSpot = async (app: App, given: MeetingSpotFacts): Promise<void> => {
  const facts = parseFacts(given);
  await runInTransaction(app.sql, async (tx) => {
    await repository.lockSpots(tx);
    if ((await repository.listSpots(tx)).length >= maxMeetingSpots)
      throw createRefusal(`There can be at most ${maxMeetingSpots} meeting spots`);
    await repository.insertSpot(tx, facts);
    await noteSecurityEvent(app, { event: 'meeting_spot_added', detail: facts.name }, tx);
  }).catch(refuseTakenName(facts.name));
};

/**
 * Changes the given facts about a spot. New facts other than name and landmark are hidden until they are confirmed.
 */
export const changeMeetingSpot = async (
  app: App,
  idOrName: string,
  given: Partial<MeetingSpotFacts>,
): Promise<void> => {
  await runInTransaction(app.sql, async (tx) => {
    const { id, confirmed_at, ...stored } = await getSpot(tx, idOrName);
    const facts = parseFacts({ ...stored, ...given });
    const isUnconfirmed = confirmableFacts.some((name) => facts[name] !== stored[name]);
    await repository.updateSpot(tx, {
      id,
      ...facts,
      confirmed_at: isUnconfirmed ? null : confirmed_at,
    });
    await noteSecurityEvent(app, { event: 'meeting_spot_changed', detail: stored.name }, tx);
  }).catch(refuseTakenName(given.name ?? ''));
};

/** Confirms all stored facts about a spot, so that everybody can see them. */
export const confirmMeetingSpot = (app: App, idOrName: string): Promise<void> =>
  runInTransaction(app.sql, async (tx) => {
    const spot = await getSpot(tx, idOrName);
    await repository.updateSpot(tx, { ...spot, confirmed_at: app.clock.now() });
    await noteSecurityEvent(app, { event: 'meeting_spot_confirmed', detail: spot.name }, tx);
  });

/** Removes a spot. Handovers agreed at this spot keep its name. */
export const removeMeetingSpot = (app: App, idOrName: string): Promise<void> =>
  runInTransaction(app.sql, async (tx) => {
    const spot = await getSpot(tx, idOrName);
    await repository.markSpotRemoved(tx, { id: spot.id, now: app.clock.now() });
    await noteSecurityEvent(app, { event: 'meeting_spot_removed', detail: spot.name }, tx);
  });

const defaultSpotIds = new Set<string>(defaultMeetingSpots.map(({ id }) => id));

/** Returns the spots of the default campus that are still listed although this deployment serves another campus. */
export const listForeignMeetingSpots = async (
  sql: Queryable,
  campus: Pick<Campus, 'domain'>,
): Promise<repository.StoredSpot[]> => {
  if (campus.domain === defaultCampus.domain) return [];
  return (await repository.listSpots(sql)).filter(({ id }) => defaultSpotIds.has(id));
};

/** Removes the spots of the default campus from a deployment that serves another campus. */
export const removeForeignMeetingSpots = async (app: App): Promise<void> => {
  for (const { id } of await listForeignMeetingSpots(app.sql, app.config.campus))
    await removeMeetingSpot(app, id);
};
