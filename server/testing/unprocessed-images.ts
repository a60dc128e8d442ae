import type { Images } from '#server/platform/images/images.ts';

/** Replaces the image process where tests need photos but not their sizes: every photo is stored as it is. */
export const unprocessedImages: Pick<Images, 'process'> = {
  process: async ({ source }) => {
    const file = { suffix: '', path: source, contentType: 'image/jpeg', bytes: 3 };
    return { image: { width: 1024, height: 768, thumbhash: 'AQIDBA==', files: [file] } };
  },
};
