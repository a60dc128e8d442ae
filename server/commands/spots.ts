import { listSpotFacts, type MeetingSpotFacts } from '#contract/meeting-spots.ts';
import type { App } from '#server/app.ts';
import {
  addMeetingSpot,
  changeMeetingSpot,
  confirmMeetingSpot,
  listStoredMeetingSpots,
  removeForeignMeetingSpots,
  removeMeetingSpot,
  type StoredSpot,
} from '#server/features/handovers/public.ts';
import { readActor } from './actor.ts';
import { parseCommandArguments, printLine, runCommand, UsageError } from './command.ts';
import { runWithApp } from './run-with-app.ts';

const usage = `Usage: npm run spots -- <what>
  list                                   all meeting spots, with what is known about them
  add "name" --reason "sentence"         adds one; facts as below
  change <spot> --reason "sentence"      changes the given facts:
    --name "name"  --landmark "how to find it"  --hours "Mon to Fri 8:00 to 22:00"
    --indoors yes|no|unknown  --lit yes|no|unknown  --camera yes|no|unknown  (camera or emergency phone nearby)
  confirm <spot> --reason "sentence"     shows everybody what is stored besides name and landmark
  remove <spot> --reason "sentence"      removes it; agreed handovers keep its name
  remove-default --reason "sentence"     removes those of the default campus after a change of the campus
<spot> is a name or an id. Landmark and hours can be "unknown". A changed fact is hidden until it is confirmed again.`;

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

const parseArguments = (args: string[]) => {
  const type = 'string';
  return parseCommandArguments(args, usage, {
    reason: { type },
    name: { type },
    landmark: { type },
    hours: { type },
    indoors: { type },
    lit: { type },
    camera: { type },
  });
};

type Values = ReturnType<typeof parseArguments>['values'];

const answers: Record<string, boolean | null> = { yes: true, no: false, unknown: null };

const readAnswer = (value: string): boolean | null => {
  const answer = answers[value];
  if (answer === undefined) throw new UsageError(usage);
  return answer;
};

const readText = (value: string): string | null => (value === 'unknown' ? null : value);

/** Returns the facts about a meeting spot that are given in the options of the command. */
const readFacts = ({ name, landmark, hours, indoors, lit, camera }: Values): Partial<MeetingSpotFacts> => ({
  ...(name !== undefined && { name }),
  ...(landmark !== undefined && { landmark: readText(landmark) }),
  ...(hours !== undefined && { opening_hours: readText(hours) }),
  ...(indoors !== undefined && { is_indoors: readAnswer(indoors) }),
  ...(lit !== undefined && { is_lit: readAnswer(lit) }),
  ...(camera !== undefined && { has_camera_or_phone: readAnswer(camera) }),
});

const unknownFacts = {
  landmark: null,
  is_indoors: null,
  is_lit: null,
  has_camera_or_phone: null,
  opening_hours: null,
};

type Change = (app: App, spot: string, facts: Partial<MeetingSpotFacts>) => Promise<void>;

const changes: Record<string, { apply: Change; takesFacts: boolean; takesNoSpot?: true }> = {
  add: {
    apply: (app, name, facts) => addMeetingSpot(app, { ...unknownFacts, ...facts, name }),
    takesFacts: true,
  },
  change: { apply: changeMeetingSpot, takesFacts: true },
  confirm: { apply: confirmMeetingSpot, takesFacts: false },
  remove: { apply: removeMeetingSpot, takesFacts: false },
  'remove-default': { apply: removeForeignMeetingSpots, takesFacts: false, takesNoSpot: true },
};

await runCommand(async (config, args) => {
  const { values, positionals } = parseArguments(args);
  const [what = '', spot, ...rest] = positionals;
  const facts = readFacts(values);
  const hasFacts = Object.keys(facts).length > 0;
  if (what === 'list' && spot === undefined && !hasFacts)
    return runWithApp(config, undefined, async (app) => {
      for (const stored of await listStoredMeetingSpots(app)) printLine(formatSpot(stored));
    });
  const change = changes[what];
  const isValid =
    change &&
    (change.takesFacts || !hasFacts) &&
    (what !== 'change' || hasFacts) &&
    (spot === undefined) === (change.takesNoSpot === true);
  if (!isValid || rest.length > 0) throw new UsageError(usage);
  const actor = await readActor(what, values.reason, usage);
  await runWithApp(config, actor, async (app) => {
    await change.apply(app, spot ?? '', facts);
    for (const stored of await listStoredMeetingSpots(app)) printLine(formatSpot(stored));
  });
});
