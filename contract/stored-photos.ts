import { z } from 'zod';

/** The schema of `Photo` (photos.ts) in responses. */
export const photoSchema = z.object({
  url: z.string(),
  width: z.int(),
  height: z.int(),
  thumbhash: z.string(),
});
