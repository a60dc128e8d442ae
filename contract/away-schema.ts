import { z } from 'zod';
import { awayErrorMessages, maxAwayDays } from './away.ts';
import { addDays } from './days.ts';

/**
 * Returns the schema of the body with which a seller is away until a day, the first on which they are back. `today` is the
 * current date on the campus, YYYY-MM-DD.
 */
export const createSetAwaySchema = (today: string) =>
  z.object({
    until: z.iso
      .date({ error: awayErrorMessages.until })
      .refine((day) => day > today, awayErrorMessages.past)
      .refine((day) => day <= addDays(today, maxAwayDays), awayErrorMessages.far),
  });

/** The first day on which a person is back, or null while they are not away. */
export const awayUntilSchema = z.iso.date().nullable();
export const awaySchema = z.object({ away_until: awayUntilSchema });
