import type { Sharp } from 'sharp';
import sharp from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import { derivedSuffix, encoding, type Format, type Recipe } from './image-recipes.ts';

/** A decoded picture. */
export interface Pixels {
  data: Buffer;
  raw: { width: number; height: number; channels: 1 | 2 | 3 | 4 };
}

export interface EncodedFile {
  /** Suffix after the base path; empty for the base itself. */
  suffix: string;
  contentType: string;
  bytes: Buffer;
}

/** Runs a sharp pipeline and returns its raw pixels, eight bits per channel. */
export const pixelsOf = async (pipeline: Sharp): Promise<Pixels> => {
  const { data, info } = await pipeline.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
  return { data, raw: { width: info.width, height: info.height, channels: info.channels as 1 | 2 | 3 | 4 } };
};

const encode = ({ data, raw }: Pixels, format: Format | 'base'): Promise<Buffer> => {
  const image = sharp(data, { raw });
  if (format === 'avif') return image.avif(encoding.avif).toBuffer();
  if (format === 'webp') return image.webp(encoding.webp).toBuffer();
  return image.jpeg(encoding[format]).toBuffer();
};

const encodeAll = async (pixels: Pixels, formats: readonly Format[]): Promise<[Format, Buffer][]> => {
  const encoded: [Format, Buffer][] = [];
  for (const format of formats) encoded.push([format, await encode(pixels, format)]);
  return encoded;
};

/** Encodes every file of a recipe, the base last. Encoding from raw pixels drops all metadata. */
export async function* encodeSizes(base: Pixels, recipe: Recipe): AsyncGenerator<EncodedFile> {
  // From large to small, each from the previous one: starting from the original each time costs more and looks no better.
  let pixels = base;
  let encoded: [Format, Buffer][] = [];
  for (const width of recipe.widths.toReversed()) {
    const narrower = width < pixels.raw.width;
    if (narrower) pixels = await pixelsOf(sharp(pixels.data, { raw: pixels.raw }).resize({ width }));
    if (narrower || encoded.length === 0) encoded = await encodeAll(pixels, recipe.formats);
    for (const [format, bytes] of encoded) {
      yield { suffix: derivedSuffix(width, format), contentType: `image/${format}`, bytes };
    }
  }
  yield { suffix: '', contentType: 'image/jpeg', bytes: await encode(base, 'base') };
}

/** Returns the ThumbHash of a picture in base64. */
export const thumbhashOf = async ({ data, raw }: Pixels): Promise<string> => {
  const small = await pixelsOf(
    sharp(data, { raw }).resize(100, 100, { fit: 'inside', withoutEnlargement: true }).ensureAlpha(),
  );
  return Buffer.from(rgbaToThumbHash(small.raw.width, small.raw.height, small.data)).toString('base64');
};
