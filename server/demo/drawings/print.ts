import sharp, { type Sharp } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import { derivedSuffix, encoding, recipes } from '#server/platform/image-recipes.ts';
import { type Picture, pictureSvg } from './picture.ts';

/** A finished photo: the base (suffix '') and every derived size that the image process makes of an upload. */
export interface Print {
  width: number;
  height: number;
  /** base64 */
  thumbhash: string;
  files: { suffix: string; contentType: string; bytes: Uint8Array }[];
}

/**
 * Pixels. A newcomer waits for the demo campus: a third of the work of the longest side allowed, and on a page the
 * difference cannot be seen, since nothing here has detail finer than its own outlines.
 */
const WIDTH = 1024;

/** The settings of the image process at their quickest: half the colour resolution, least search. */
const quick = {
  avif: { ...encoding.avif, chromaSubsampling: '4:2:0' },
  webp: { ...encoding.webp, effort: 0 },
  jpeg: encoding.jpeg,
} as const;

interface Pixels {
  data: Buffer;
  raw: { width: number; height: number; channels: 3 };
}

const pixelsOf = async (image: Sharp): Promise<Pixels> => {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  return { data, raw: { width: info.width, height: info.height, channels: 3 } };
};

/** Draws a picture and makes the same files of it as an uploaded photo gets. */
export async function printPicture(picture: Picture): Promise<Print> {
  const recipe = recipes['listing-photo'];
  const drawn = await pixelsOf(sharp(Buffer.from(pictureSvg(picture, WIDTH))).flatten());
  const base = await sharp(drawn.data, { raw: drawn.raw }).jpeg(encoding.base).toBuffer();
  const files: Print['files'] = [{ suffix: '', contentType: 'image/jpeg', bytes: base }];

  let pixels = drawn;
  let encoded: { format: (typeof recipe.formats)[number]; bytes: Buffer }[] = [];
  for (const width of recipe.widths.toReversed()) {
    const narrower = width < pixels.raw.width;
    if (narrower) pixels = await pixelsOf(sharp(pixels.data, { raw: pixels.raw }).resize({ width }));
    if (narrower || encoded.length === 0) {
      encoded = [];
      for (const format of recipe.formats) {
        const image = sharp(pixels.data, { raw: pixels.raw });
        encoded.push({ format, bytes: await image[format](quick[format]).toBuffer() });
      }
    }
    for (const { format, bytes } of encoded) {
      files.push({ suffix: derivedSuffix(width, format), contentType: `image/${format}`, bytes });
    }
  }
  return { width: drawn.raw.width, height: drawn.raw.height, thumbhash: await thumbhashOf(pixels), files };
}

/** Made of the smallest size: a ThumbHash holds no more than a hundred pixels each way. */
const thumbhashOf = async ({ data, raw }: Pixels): Promise<string> => {
  const small = await sharp(data, { raw })
    .resize(100, 100, { fit: 'inside' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const hash = rgbaToThumbHash(small.info.width, small.info.height, small.data);
  return Buffer.from(hash).toString('base64');
};
