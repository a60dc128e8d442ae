import { z } from 'zod';
import type { Announcement } from '#contract/announcements.ts';
import {
  findStoredAnnouncement,
  removeAnnouncement,
  setAnnouncement,
} from '#server/features/announcements/public.ts';
import { readActor } from './actor.ts';
import { parseCommandArguments, printLine, runCommand, UsageError } from './command.ts';
import { runWithApp } from './run-with-app.ts';

const usage = `Usage: npm run announcement -- <what>
  show                                   the announcement, and when pages show it
  set "text" --until <time> [--from <time>] --reason "sentence"
                                         shows it on top of all pages, in place of the previous one; from now on without --from
  remove --reason "sentence"             removes it
A time is written as 2026-12-01T08:00:00Z or with an offset, as in 2026-12-01T08:00:00-08:00.`;

const timeSchema = z.iso.datetime({ offset: true }).transform((text) => new Date(text).toISOString());

const parseTime = (text: string): string => {
  const { data } = timeSchema.safeParse(text);
  if (data === undefined) throw new UsageError(`${text} is not a time.\n${usage}`);
  return data;
};

const printAnnouncement = (announcement: Announcement | null): void =>
  printLine(
    announcement
      ? `${announcement.text}\n  from   ${announcement.begins_at}\n  until  ${announcement.ends_at}`
      : 'There is no announcement.',
  );

await runCommand(async (config, args) => {
  const { values, positionals } = parseCommandArguments(args, usage, {
    reason: { type: 'string' },
    from: { type: 'string' },
    until: { type: 'string' },
  });
  const [what = '', text, ...rest] = positionals;
  const isSet = what === 'set';
  if (!['show', 'set', 'remove'].includes(what) || isSet !== (text !== undefined) || rest.length > 0)
    throw new UsageError(usage);
  if (isSet !== (values.until !== undefined) || (!isSet && values.from)) throw new UsageError(usage);
  if (what === 'show') {
    return runWithApp(config, undefined, async (app) => printAnnouncement(await findStoredAnnouncement(app)));
  }
  const ends_at = values.until === undefined ? '' : parseTime(values.until);
  const begins_at = values.from === undefined ? new Date().toISOString() : parseTime(values.from);
  const actor = await readActor(what, values.reason, usage);
  await runWithApp(config, actor, async (app) =>
    printAnnouncement(
      isSet && text !== undefined
        ? await setAnnouncement(app, { text, begins_at, ends_at })
        : await removeAnnouncement(app),
    ),
  );
});
