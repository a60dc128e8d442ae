import { z } from 'zod';
import { createSingleLineTextSchema } from './text.ts';

/** Maximum number of games and events in the schedule of a campus. */
export const maxGames = 500;
/** Maximum length of the name of a game or event in characters. */
export const maxGameNameLength = 80;

/** A game or event of the campus, for which tickets may be offered. */
export const gameSchema = z.object({ day: z.iso.date(), name: z.string() });
export type Game = z.infer<typeof gameSchema>;

const nameMessage = `the name must have 1 to ${maxGameNameLength} characters`;
const nameSchema = createSingleLineTextSchema({
  required: nameMessage,
  min: { length: 1, sentence: nameMessage },
  max: { length: maxGameNameLength, sentence: nameMessage },
});
const daySchema = z.iso.date().refine((day) => !day.startsWith('0000'));

const unquote = (text: string): string => /^"(.*)"$/s.exec(text)?.[1]?.replaceAll('""', '"') ?? text;

/**
 * Reads a schedule: a day (YYYY-MM-DD), a comma and a name in each line, after an optional heading. Returns the games in
 * order, each once, and the lines that it could not read, each with its number and the reason.
 */
export const parseSchedule = (text: string): { games: Game[]; refused: string[] } => {
  const games = new Map<string, Game>();
  const refused: string[] = [];
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    if (line.trim() === '' || (index === 0 && /^"?(?:date|day)"?\s*,/i.test(line))) continue;
    const comma = line.indexOf(',');
    const day = daySchema.safeParse(unquote(line.slice(0, Math.max(comma, 0)).trim()));
    const name = nameSchema.safeParse(unquote(line.slice(comma + 1).trim()));
    if (!day.success)
      refused.push(`line ${index + 1}: it must begin with a date such as 2026-11-28 and a comma`);
    else if (!name.success) refused.push(`line ${index + 1}: ${name.error.issues[0]?.message}`);
    else games.set(`${day.data} ${name.data}`, { day: day.data, name: name.data });
  }
  return { games: [...games.values()].sort((a, b) => (a.day < b.day ? -1 : 1)), refused };
};
