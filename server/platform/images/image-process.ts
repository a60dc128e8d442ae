// Decodes uploaded images, which may be hostile, in a separate process that images.ts starts.
import { appendFile, open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import { maxPhotoPixels } from '#contract/photos.ts';
import { ownerOnlyFileMode } from '#server/platform/files/owner-only.ts';
import { serveFileTasks } from '#server/platform/files/serve-file-tasks.ts';
import {
  buildDerivedFileSuffix,
  type ImageFile,
  type ImageFormat,
  type ImagePreset,
  type ImageResult,
  type ImageTask,
  imageEncodingOptions,
  imagePresets,
} from './image-presets.ts';

sharp.concurrency(1);
sharp.cache(false);
// Only the decoders for JPEG, PNG and WebP stay enabled, whatever type a file claims to have.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpegFile', 'VipsForeignLoadPngFile', 'VipsForeignLoadWebpFile'],
});

/** The raw pixels of a decoded picture. */
interface RawPixels {
  data: Buffer;
  raw: { width: number; height: number; channels: 1 | 2 | 3 | 4 };
}

interface EncodedFile {
  /**
   * Suffix appended to the base path to get the path of this file. It is empty for the base picture itself.
   */
  suffix: string;
  contentType: string;
  bytes: Buffer;
}

/** Runs a sharp pipeline and returns its raw pixels, eight bits per channel. */
const toRawPixels = async (pipeline: Sharp): Promise<RawPixels> => {
  const { data, info } = await pipeline.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
  return { data, raw: { width: info.width, height: info.height, channels: info.channels as 1 | 2 | 3 | 4 } };
};

const encodePixels = ({ data, raw }: RawPixels, format: ImageFormat | 'base'): Promise<Buffer> => {
  const image = sharp(data, { raw });
  if (format === 'avif') return image.avif(imageEncodingOptions.avif).toBuffer();
  if (format === 'webp') return image.webp(imageEncodingOptions.webp).toBuffer();
  return image.jpeg(imageEncodingOptions[format]).toBuffer();
};

const encodeFormats = async (
  pixels: RawPixels,
  formats: readonly ImageFormat[],
): Promise<[ImageFormat, Buffer][]> => {
  const encoded: [ImageFormat, Buffer][] = [];
  for (const format of formats) encoded.push([format, await encodePixels(pixels, format)]);
  return encoded;
};

/**
 * Encodes a picture into all files of a preset and yields the base picture last. Encoding from raw
 * pixels drops all metadata.
 */
async function* encodeSizes(base: RawPixels, preset: ImagePreset): AsyncGenerator<EncodedFile> {
  // Each size is resized from the next larger one. Resizing the original each time costs more and looks no better.
  let pixels = base;
  let encoded: [ImageFormat, Buffer][] = [];
  for (const width of preset.widths.toReversed()) {
    const isNarrower = width < pixels.raw.width;
    if (isNarrower) pixels = await toRawPixels(sharp(pixels.data, { raw: pixels.raw }).resize({ width }));
    if (isNarrower || encoded.length === 0) encoded = await encodeFormats(pixels, preset.formats);
    for (const [format, bytes] of encoded) {
      yield { suffix: buildDerivedFileSuffix(width, format), contentType: `image/${format}`, bytes };
    }
  }
  yield { suffix: '', contentType: 'image/jpeg', bytes: await encodePixels(base, 'base') };
}

/** Computes the ThumbHash of a picture, in base64. */
const computeThumbhash = async ({ data, raw }: RawPixels): Promise<string> => {
  const small = await toRawPixels(
    sharp(data, { raw }).resize(100, 100, { fit: 'inside', withoutEnlargement: true }).ensureAlpha(),
  );
  return Buffer.from(rgbaToThumbHash(small.raw.width, small.raw.height, small.data)).toString('base64');
};

type AcceptedFormat = 'jpeg' | 'png' | 'webp';

const detectFormat = async (path: string): Promise<AcceptedFormat | 'empty' | undefined> => {
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

const jpegEndMarker = Buffer.from('ffd9', 'hex');
const jpegScanMarker = Buffer.from('ffda', 'hex');

/**
 * Returns whether an image that cannot be decoded ends before its data does: a WebP image states its length, a PNG image
 * has a chunk at its end, and a JPEG image has a marker after its last scan.
 */
const isCutOff = async (source: string, type: AcceptedFormat): Promise<boolean> => {
  const bytes = await readFile(source);
  if (type === 'webp') return bytes.length >= 8 && bytes.length < bytes.readUInt32LE(4) + 8;
  if (type === 'png') return !bytes.includes('IEND');
  return bytes.lastIndexOf(jpegScanMarker) > bytes.lastIndexOf(jpegEndMarker);
};

/**
 * Decodes a picture. Accepts what photo viewers display although the format forbids it, such as bytes between the parts of
 * a JPEG file or after it, wrong parameters, or a missing end marker. `isIncomplete` is whether a part of the picture was
 * missing and would be gray.
 */
const decodeBasePicture = async (
  source: string,
  { side, square }: ImagePreset,
  shortSide: number,
): Promise<RawPixels & { isIncomplete: boolean }> => {
  let isIncomplete = false;
  const oriented = sharp(source, { failOn: 'error', limitInputPixels: maxPhotoPixels })
    .on('warning', (text: string) => {
      isIncomplete ||= text.includes('premature end');
    })
    .autoOrient();
  const edge = Math.min(side, shortSide);
  const sized = square
    ? oriented.resize(edge, edge, { fit: 'cover' })
    : oriented.resize(side, side, { fit: 'inside', withoutEnlargement: true });
  // Strip all metadata: what remains are raw pixels, without EXIF, GPS coordinates and color profile.
  return {
    ...(await toRawPixels(sized.flatten({ background: '#ffffff' }).toColourspace('srgb'))),
    isIncomplete,
  };
};

const writeImageFiles = async (
  task: ImageTask,
  preset: ImagePreset,
  base: RawPixels,
): Promise<ImageFile[]> => {
  const files: ImageFile[] = [];
  for await (const { suffix, contentType, bytes } of encodeSizes(base, preset)) {
    const path = join(task.folder, `out${suffix}`);
    await writeFile(path, bytes, { mode: ownerOnlyFileMode });
    files.push({ suffix, path, contentType, bytes: bytes.length });
  }
  return files;
};

const processImage = async (task: ImageTask): Promise<ImageResult> => {
  const preset = imagePresets[task.preset];
  const type = await detectFormat(task.source);
  if (type === 'empty') return { refused: 'damaged' };
  if (type === undefined) return { refused: 'unsupported' };
  const refused = (await isCutOff(task.source, type)) ? 'truncated' : 'damaged';
  const header = await sharp(task.source, { limitInputPixels: false })
    .metadata()
    .catch(() => undefined);
  if (header?.format !== type) return { refused };
  if (header.width * header.height > maxPhotoPixels) return { refused: 'too_many_pixels' };
  // Without an end marker, the decoder would refuse a JPEG file that contains the whole picture. A second one changes nothing.
  if (type === 'jpeg') await appendFile(task.source, jpegEndMarker);
  const base = await decodeBasePicture(task.source, preset, Math.min(header.width, header.height)).catch(
    () => undefined,
  );
  if (!base || base.isIncomplete) return { refused };
  const { width, height } = base.raw;
  return {
    image: {
      width,
      height,
      thumbhash: await computeThumbhash(base),
      files: await writeImageFiles(task, preset, base),
    },
  };
};

const toRefusal = (error: unknown): ImageResult => ({
  refused: error instanceof Error && 'code' in error && error.code === 'ENOSPC' ? 'no_space' : 'failed',
});

serveFileTasks((task: ImageTask) => processImage(task).catch(toRefusal));
