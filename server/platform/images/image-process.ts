// Runs in a separate process because it decodes hostile files: it may crash or be killed at any moment.
// Started and supervised by images.ts; jobs and results pass over the IPC channel.
import { open, writeFile } from 'node:fs/promises';
import { getPriority, setPriority } from 'node:os';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import { maxPixels } from '#contract/photos.ts';
import { ownerOnlyFile } from '#server/platform/files/owner-only.ts';
import {
  derivedSuffix,
  encoding,
  type Format,
  type ImageFile,
  type ImageJob,
  type ImageReply,
  type ImageResult,
  type Recipe,
  recipes,
} from './image-recipes.ts';

sharp.concurrency(1);
sharp.cache(false);
// Only the three accepted decoders stay enabled, whatever type a file claims to have.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpegFile', 'VipsForeignLoadPngFile', 'VipsForeignLoadWebpFile'],
});

/** A decoded picture. */
interface Pixels {
  data: Buffer;
  raw: { width: number; height: number; channels: 1 | 2 | 3 | 4 };
}

interface EncodedFile {
  /** Suffix after the base path; empty for the base itself. */
  suffix: string;
  contentType: string;
  bytes: Buffer;
}

/** Runs a sharp pipeline and returns its raw pixels, eight bits per channel. */
const pixelsOf = async (pipeline: Sharp): Promise<Pixels> => {
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
async function* encodeSizes(base: Pixels, recipe: Recipe): AsyncGenerator<EncodedFile> {
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
const thumbhashOf = async ({ data, raw }: Pixels): Promise<string> => {
  const small = await pixelsOf(
    sharp(data, { raw }).resize(100, 100, { fit: 'inside', withoutEnlargement: true }).ensureAlpha(),
  );
  return Buffer.from(rgbaToThumbHash(small.raw.width, small.raw.height, small.data)).toString('base64');
};

type Accepted = 'jpeg' | 'png' | 'webp';

const sniff = async (path: string): Promise<Accepted | 'empty' | undefined> => {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(12), 0, 12, 0);
    if (bytesRead === 0) return 'empty';
    const head = buffer.toString('latin1', 0, bytesRead);
    if (head.startsWith('\xff\xd8\xff')) return 'jpeg';
    if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
    if (/^RIFF....WEBP$/s.test(head)) return 'webp';
    return undefined;
  } finally {
    await handle.close();
  }
};

const decode = (source: string, { side, square }: Recipe, shortSide: number): Promise<Pixels> => {
  const oriented = sharp(source, { failOn: 'warning', limitInputPixels: maxPixels }).autoOrient();
  const edge = Math.min(side, shortSide);
  const sized = square
    ? oriented.resize(edge, edge, { fit: 'cover' })
    : oriented.resize(side, side, { fit: 'inside', withoutEnlargement: true });
  // From here on there are only raw pixels: no EXIF, no GPS, no color profile.
  return pixelsOf(sized.flatten({ background: '#ffffff' }).toColourspace('srgb'));
};

const produce = async (job: ImageJob, recipe: Recipe, base: Pixels): Promise<ImageFile[]> => {
  const files: ImageFile[] = [];
  for await (const { suffix, contentType, bytes } of encodeSizes(base, recipe)) {
    const path = join(job.folder, `out${suffix}`);
    await writeFile(path, bytes, { mode: ownerOnlyFile });
    files.push({ suffix, path, contentType, bytes: bytes.length });
  }
  return files;
};

const work = async (job: ImageJob): Promise<ImageResult> => {
  const recipe = recipes[job.recipe];
  const type = await sniff(job.source);
  if (type === 'empty') return { refused: 'damaged' };
  if (type === undefined) return { refused: 'unsupported' };
  const header = await sharp(job.source, { limitInputPixels: false })
    .metadata()
    .catch(() => undefined);
  if (header?.format !== type) return { refused: 'damaged' };
  if (header.width * header.height > maxPixels) return { refused: 'too_many_pixels' };
  const base = await decode(job.source, recipe, Math.min(header.width, header.height)).catch(() => undefined);
  if (base === undefined) return { refused: 'damaged' };
  const { width, height } = base.raw;
  return {
    image: { width, height, thumbhash: await thumbhashOf(base), files: await produce(job, recipe, base) },
  };
};

const refusalOf = (error: unknown): ImageResult => ({
  refused: error instanceof Error && 'code' in error && error.code === 'ENOSPC' ? 'no_space' : 'failed',
});

// Only root may raise a priority, so the process keeps a lower one that it inherits from the server.
setPriority(Math.max(getPriority(), Number(process.env.NICENESS)));
// The terminal's interrupt reaches the whole group; the parent decides when this process ends.
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit());
process.on('message', async (job: ImageJob) => {
  const result = await work(job).catch(refusalOf);
  const reply: ImageReply = { id: job.id, ...result };
  process.send?.(reply);
});
