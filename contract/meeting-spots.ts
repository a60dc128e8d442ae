import { z } from 'zod';
import type { Campus, CampusTimeZone } from './campus.ts';
import { getMachineFormat } from './date-format.ts';
import { createSingleLineTextSchema, idSchema } from './text.ts';

/** Maximum number of meeting spots that a campus can have. */
export const maxMeetingSpots = 100;

const spotErrorMessages = {
  name: 'The name has 1 to 100 characters',
  landmark: 'The landmark has 1 to 200 characters',
  openingHours: 'The opening hours have 1 to 100 characters',
} as const;

const createLineSchema = (longest: number, sentence: string) =>
  createSingleLineTextSchema({
    required: sentence,
    min: { length: 1, sentence },
    max: { length: longest, sentence },
  });

/** The facts about a meeting spot that an administrator enters; null means unknown. */
export const meetingSpotFactsSchema = z.object({
  name: createLineSchema(100, spotErrorMessages.name),
  landmark: createLineSchema(200, spotErrorMessages.landmark).nullable(),
  is_indoors: z.boolean().nullable(),
  is_lit: z.boolean().nullable(),
  has_camera_or_phone: z.boolean().nullable(),
  opening_hours: createLineSchema(100, spotErrorMessages.openingHours).nullable(),
});
export type MeetingSpotFacts = z.infer<typeof meetingSpotFactsSchema>;

/**
 * A place on the campus where people hand items over. All fields except name and landmark are null
 * (unknown) until an administrator has confirmed them.
 */
export const meetingSpotSchema = z.object({
  id: idSchema,
  name: z.string(),
  /**
   * A hint on how to find the spot, such as 'Front steps, facing Alumni Park'. Null when the name is enough.
   */
  landmark: z.string().nullable(),
  is_indoors: z.boolean().nullable(),
  /** Whether the spot is lit after dark. */
  is_lit: z.boolean().nullable(),
  has_camera_or_phone: z.boolean().nullable(),
  opening_hours: z.string().nullable(),
});
export type MeetingSpot = z.infer<typeof meetingSpotSchema>;

/**
 * The hours of the day (campus time) at which it gets dark and light again on the campus. The same hours
 * apply in every season.
 */
const dark = { begins: 19, ends: 7 } as const;

/** Returns whether a time is after dark on the campus: from 19:00 to 7:00. */
export const isAfterDark = (instant: Date, { timezone }: CampusTimeZone): boolean => {
  const hour = Number(getMachineFormat({ timeZone: timezone, hour: 'numeric' }).format(instant));
  return hour >= dark.begins || hour < dark.ends;
};

/** Returns a warning about meeting at a spot at this time, or undefined when there is none. */
export const findSpotWarning = (
  { is_lit: isLit }: Pick<MeetingSpot, 'is_lit'>,
  time: Date,
  campus: CampusTimeZone,
): string | undefined =>
  isLit === false && isAfterDark(time, campus) ? 'This spot is not lit after dark.' : undefined;

/** Returns the known facts about a meeting spot, apart from name and landmark, as short phrases. */
export const listSpotFacts = (spot: Omit<MeetingSpot, 'id' | 'name' | 'landmark'>): string[] => {
  const choose = (value: boolean | null, yes: string, no: string) => (value ? yes : no);
  return [
    ...(spot.is_indoors === null ? [] : [choose(spot.is_indoors, 'Indoors', 'Outdoors')]),
    ...(spot.is_lit === null ? [] : [choose(spot.is_lit, 'Lit at night', 'Not lit at night')]),
    ...(spot.has_camera_or_phone === null
      ? []
      : [
          choose(
            spot.has_camera_or_phone,
            'Camera or emergency phone nearby',
            'No camera or emergency phone nearby',
          ),
        ]),
    ...(spot.opening_hours === null ? [] : [`Open ${spot.opening_hours}`]),
  ];
};

/**
 * Returns the URL that opens a place on the campus in the maps app of a device, or on a map website
 * where a device has no such app. `userAgent` is the browser's `navigator.userAgent`.
 */
export const buildMapUrl = (place: string, campus: Pick<Campus, 'name'>, userAgent: string): string => {
  const query = encodeURIComponent(`${place}, ${campus.name}`);
  if (/Android/.test(userAgent)) return `geo:0,0?q=${query}`;
  if (/iPhone|iPad|Macintosh/.test(userAgent)) return `https://maps.apple.com/?q=${query}`;
  return `https://www.openstreetmap.org/search?query=${query}`;
};
