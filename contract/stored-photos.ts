import { z } from 'zod';

/** The schema of a `Photo` (see photos.ts) in a response. */
export const photoSchema = z.object({
  url: z.string(),
  width: z.int(),
  height: z.int(),
  thumbhash: z.string(),
});
