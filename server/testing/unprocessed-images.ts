import type { ImageProcessor } from '#server/platform/images/images.ts';

/** Replaces image processing in tests that need photos but no resized versions: photos are stored unchanged. */
export const passThroughImageProcessor: Pick<ImageProcessor, 'process'> = {
  process: async ({ source }) => {
    const file = { suffix: '', path: source, contentType: 'image/jpeg', bytes: 3 };
    return { image: { width: 1024, height: 768, thumbhash: 'AQIDBA==', files: [file] } };
  },
};
