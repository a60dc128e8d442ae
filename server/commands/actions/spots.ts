import { listSpotFacts, type MeetingSpotFacts } from '#contract/meeting-spots.ts';
import type { App } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import {
  addMeetingSpot,
  changeMeetingSpot,
  confirmMeetingSpot,
  listStoredMeetingSpots,
  removeForeignMeetingSpots,
  removeMeetingSpot,
  type StoredSpot,
} from '#server/features/handovers/public.ts';
import { type JsonOption, printLine, printResult } from '../printing.ts';
import { runWithApp } from '../run-with-app.ts';
import { UsageError } from '../usage-error.ts';
import { type ReasonOptions, readActor } from './actor.ts';

const formatSpot = (spot: StoredSpot): string => {
  const facts = listSpotFacts(spot).join(', ');
  const confirmation = spot.confirmed_at ? 'confirmed' : 'not confirmed, so only administrators see this';
  return [
    spot.name,
    `  id          ${spot.id}`,
    ...(spot.landmark ? [`  landmark    ${spot.landmark}`] : []),
    `  facts       ${facts ? `${facts} (${confirmation})` : 'unknown'}`,
  ].join('\n');
};

type Answer = 'yes' | 'no' | 'unknown';

interface FactOptions {
  name?: string | undefined;
  landmark?: string | undefined;
  hours?: string | undefined;
  indoors?: Answer | undefined;
  lit?: Answer | undefined;
  camera?: Answer | undefined;
}

const answers: Record<Answer, boolean | null> = { yes: true, no: false, unknown: null };

const readText = (value: string): string | null => (value === 'unknown' ? null : value);

/** Returns the facts about a meeting spot that are given in the options of the command. */
const readFacts = ({
  name,
  landmark,
  hours,
  indoors,
  lit,
  camera,
}: FactOptions): Partial<MeetingSpotFacts> => ({
  ...(name !== undefined && { name }),
  ...(landmark !== undefined && { landmark: readText(landmark) }),
  ...(hours !== undefined && { opening_hours: readText(hours) }),
  ...(indoors !== undefined && { is_indoors: answers[indoors] }),
  ...(lit !== undefined && { is_lit: answers[lit] }),
  ...(camera !== undefined && { has_camera_or_phone: answers[camera] }),
});

const unknownFacts = {
  landmark: null,
  is_indoors: null,
  is_lit: null,
  has_camera_or_phone: null,
  opening_hours: null,
};

export const printSpots = (options: JsonOption): Promise<void> =>
  runWithApp(readConfig(process.env), undefined, async (app) => {
    const spots = await listStoredMeetingSpots(app);
    if (options.json || spots.length > 0) printResult(spots, options, () => spots.map(formatSpot).join('\n'));
  });

/** Runs an action that changes the meeting spots, and prints those that there are then. */
const runChange = async (
  what: string,
  options: ReasonOptions,
  apply: (app: App) => Promise<void>,
): Promise<void> => {
  const config = readConfig(process.env);
  const actor = await readActor(what, options);
  await runWithApp(config, actor, async (app) => {
    await apply(app);
    for (const stored of await listStoredMeetingSpots(app)) printLine(formatSpot(stored));
  });
};

export const add = (name: string, options: FactOptions & ReasonOptions): Promise<void> =>
  runChange('add', options, (app) => addMeetingSpot(app, { ...unknownFacts, ...readFacts(options), name }));

export const change = async (spot: string, options: FactOptions & ReasonOptions): Promise<void> => {
  const facts = readFacts(options);
  if (Object.keys(facts).length === 0) throw new UsageError('change needs a fact.');
  await runChange('change', options, (app) => changeMeetingSpot(app, spot, facts));
};

export const confirm = (spot: string, options: ReasonOptions): Promise<void> =>
  runChange('confirm', options, (app) => confirmMeetingSpot(app, spot));

export const remove = (spot: string, options: ReasonOptions): Promise<void> =>
  runChange('remove', options, (app) => removeMeetingSpot(app, spot));

export const removeDefault = (options: ReasonOptions): Promise<void> =>
  runChange('remove-default', options, (app) => removeForeignMeetingSpots(app));
