import { defaultCampus } from '#contract/campus.ts';

/** The settings of a campus, which a public server needs, with the values of the default campus. */
export const campusSettings = {
  QUAD_CAMPUS_NAME: defaultCampus.name,
  QUAD_CAMPUS_SHORT_NAME: defaultCampus.shortName,
  QUAD_CAMPUS_DOMAIN: defaultCampus.domain,
  QUAD_CAMPUS_MASCOT: defaultCampus.mascot,
  QUAD_CAMPUS_TIMEZONE: defaultCampus.timezone,
};
