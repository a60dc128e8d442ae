import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { meetingSpotFactsSchema } from '#contract/meeting-spots.ts';
import { idSchema } from '#contract/text.ts';

const settingOfField = {
  siteName: 'QUAD_SITE_NAME',
  name: 'QUAD_CAMPUS_NAME',
  shortName: 'QUAD_CAMPUS_SHORT_NAME',
  domain: 'QUAD_CAMPUS_DOMAIN',
  mascot: 'QUAD_CAMPUS_MASCOT',
  timezone: 'QUAD_CAMPUS_TIMEZONE',
  locale: 'QUAD_CAMPUS_LOCALE',
  currency: 'QUAD_CAMPUS_CURRENCY',
  country: 'QUAD_CAMPUS_COUNTRY',
} as const;

const presetSchema = z.strictObject({
  ...(Object.fromEntries(
    Object.keys(settingOfField).map((field) => [field, z.string().optional()]),
  ) as Record<keyof typeof settingOfField, z.ZodOptional<z.ZodString>>),
  colors: z
    .strictObject({
      brand: z
        .string()
        .regex(/^#[\da-f]{6}$/i, 'must be a color such as #990000')
        .toLowerCase(),
    })
    .optional(),
  /** The spots that the campus starts with. Their ids are stable, so that removed ones stay removed. */
  meetingSpots: z
    .array(
      z.strictObject({ id: idSchema, ...meetingSpotFactsSchema.pick({ name: true, landmark: true }).shape }),
    )
    .default([]),
  /** Names, places, measures and phone numbers of the demo campus, and what is in their place on this one. */
  demoTexts: z.record(z.string(), z.string()).default({}),
});

export type MeetingSpotOfPreset = z.output<typeof presetSchema>['meetingSpots'][number];

export interface CampusPreset {
  settings: Record<string, string>;
  meetingSpots: MeetingSpotOfPreset[];
  /** The brand color, as in '#990000', if the campus has one. */
  brandColor: string | undefined;
  demoTexts: Readonly<Record<string, string>>;
}

const parsePreset = (path: string): z.output<typeof presetSchema> => {
  try {
    return presetSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const [issue] = error instanceof z.ZodError ? error.issues : [];
    const reason = issue ? [...issue.path, issue.message].join(' ') : (code ?? message);
    throw new Error(`Wrong configuration: cannot use the campus of QUAD_CAMPUS, ${path}: ${reason}`);
  }
};

/** Reads a file that describes a campus. Throws with a one-line message. */
export const readCampusPreset = (path: string): CampusPreset => {
  const { meetingSpots, colors, demoTexts, ...fields } = parsePreset(path);
  const settings = Object.entries(fields).flatMap(([field, value]) =>
    value ? [[settingOfField[field as keyof typeof settingOfField], value] as const] : [],
  );
  return { settings: Object.fromEntries(settings), meetingSpots, brandColor: colors?.brand, demoTexts };
};
