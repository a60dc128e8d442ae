import { z } from 'zod';
import { type Game, maxGameNameLength } from '#contract/schedule.ts';
import { createSingleLineTextSchema } from '#contract/text.ts';
import { parseCsv } from '#server/platform/csv.ts';

const nameMessage = `the name must have 1 to ${maxGameNameLength} characters`;
const nameSchema = createSingleLineTextSchema({
  required: nameMessage,
  min: { length: 1, sentence: nameMessage },
  max: { length: maxGameNameLength, sentence: nameMessage },
});
const daySchema = z.iso.date().refine((day) => !day.startsWith('0000'));

/**
 * Reads a schedule: a CSV file with a day (YYYY-MM-DD) and a name in each line, after an optional heading. Returns the games in
 * order, each once, and the lines that it could not read, each with its number and the reason. Throws when a quote is not
 * closed.
 */
export const parseSchedule = (text: string): { games: Game[]; refused: string[] } => {
  const rows = parseCsv(text);
  if (!rows) throw new Error('A quote in this file is not closed.');
  const games = new Map<string, Game>();
  const refused: string[] = [];
  for (const [index, { line, cells }] of rows.entries()) {
    const [first = '', ...others] = cells;
    if (index === 0 && /^(?:date|day)$/i.test(first)) continue;
    const day = daySchema.safeParse(first);
    // A name may contain commas without quotes. Spreadsheets write empty cells after it.
    const name = nameSchema.safeParse(others.filter(Boolean).join(', '));
    if (!day.success) refused.push(`line ${line}: it must begin with a date such as 2026-11-28 and a comma`);
    else if (!name.success) refused.push(`line ${line}: ${name.error.issues[0]?.message}`);
    else games.set(`${day.data} ${name.data}`, { day: day.data, name: name.data });
  }
  return { games: [...games.values()].sort((a, b) => (a.day < b.day ? -1 : 1)), refused };
};
