import { z } from 'zod';

/** A stored photo in an answer: what `Photo` of photos.ts says of it. */
export const photoSchema = z.object({
  url: z.string(),
  width: z.int(),
  height: z.int(),
  thumbhash: z.string(),
});
