import { z } from 'zod';

/** Maximum number of games and events in the schedule of a campus. */
export const maxGames = 500;
/** Maximum length of the name of a game or event in characters. */
export const maxGameNameLength = 80;

/** A game or event of the campus, for which tickets may be offered. */
export const gameSchema = z.object({ day: z.iso.date(), name: z.string() });
export type Game = z.infer<typeof gameSchema>;
