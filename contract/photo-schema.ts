import { z } from 'zod';

/** The schema of the type `Photo` (see photos.ts), for responses. */
export const photoSchema = z.object({
  url: z.string(),
  width: z.int(),
  height: z.int(),
  thumbhash: z.string(),
});
