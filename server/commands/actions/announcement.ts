import { z } from 'zod';
import type { Announcement } from '#contract/announcements.ts';
import { readConfig } from '#server/config.ts';
import {
  findStoredAnnouncement,
  removeAnnouncement,
  setAnnouncement,
} from '#server/features/announcements/public.ts';
import { type JsonOption, printLine, printResult } from '../printing.ts';
import { runWithApp } from '../run-with-app.ts';
import { UsageError } from '../usage-error.ts';
import { type ReasonOptions, readActor } from './actor.ts';

const timeSchema = z.iso.datetime({ offset: true }).transform((text) => new Date(text).toISOString());

const parseTime = (text: string): string => {
  const { data } = timeSchema.safeParse(text);
  if (data === undefined) throw new UsageError(`${text} is not a time.`);
  return data;
};

const formatAnnouncement = (announcement: Announcement | null): string =>
  announcement
    ? `${announcement.text}\n  from   ${announcement.begins_at}\n  until  ${announcement.ends_at}`
    : 'There is no announcement.';

export const print = (options: JsonOption): Promise<void> =>
  runWithApp(readConfig(process.env), undefined, async (app) =>
    printResult(await findStoredAnnouncement(app), options, formatAnnouncement),
  );

export const set = async (
  text: string,
  options: ReasonOptions & { until: string; from?: string | undefined },
): Promise<void> => {
  const ends_at = parseTime(options.until);
  const begins_at = options.from === undefined ? new Date().toISOString() : parseTime(options.from);
  const config = readConfig(process.env);
  const actor = await readActor('set', options);
  await runWithApp(config, actor, async (app) =>
    printLine(formatAnnouncement(await setAnnouncement(app, { text, begins_at, ends_at }))),
  );
};

export const remove = async (options: ReasonOptions): Promise<void> => {
  const config = readConfig(process.env);
  const actor = await readActor('remove', options);
  await runWithApp(config, actor, async (app) =>
    printLine(formatAnnouncement(await removeAnnouncement(app))),
  );
};
