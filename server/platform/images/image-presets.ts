import {
  buildPhotoCopyUrl,
  jpegQuality,
  maxPhotoSidePixels,
  messagePhotoWidths,
  photoCopyFormats,
  photoCopyWidths,
} from '#contract/photos.ts';
import type { FileTaskRefusal } from '#server/platform/files/file-process.ts';

/**
 * Describes how an upload is resized and encoded. It is plain data, so the server can read it without loading the image
 * library.
 */
export interface ImagePreset {
  /** Maximum length, in pixels, of the longer side of the base picture, which all smaller copies are made from. */
  side: number;
  /** Whether the picture is cropped to a centered square. */
  square: boolean;
  /**
   * Widths of the derived files in pixels, ascending. Every picture gets a file for each width, so that file names
   * never depend on the picture. A picture narrower than a width keeps its own size, because pictures are never
   * enlarged.
   */
  widths: readonly number[];
  formats: readonly ImageFormat[];
}

export type ImageFormat = (typeof photoCopyFormats)[number];
export type ImagePresetName = 'listing-photo' | 'message-photo' | 'avatar';

export const imagePresets: Record<ImagePresetName, ImagePreset> = {
  'listing-photo': {
    side: maxPhotoSidePixels,
    square: false,
    widths: photoCopyWidths,
    formats: photoCopyFormats,
  },
  'message-photo': { side: maxPhotoSidePixels, square: false, widths: messagePhotoWidths, formats: ['webp'] },
  avatar: { side: 512, square: true, widths: [96, 256, 512], formats: ['webp', 'jpeg'] },
};

/**
 * Quality and effort of each format. Measured on one core with a 12-megapixel photo: AVIF effort 2 takes three times as
 * long as effort 0 and saves nothing; JPEG with trellis quantization takes eight times as long and saves a tenth.
 */
export const imageEncodingOptions = {
  base: { quality: Math.round(jpegQuality * 100) },
  jpeg: { quality: 80 },
  webp: { quality: 78, effort: 2 },
  avif: { quality: 55, effort: 0 },
} as const;

/** Returns the suffix that turns a base path into the path of a derived file. */
export const buildDerivedFileSuffix = (width: number, format: ImageFormat): string =>
  buildPhotoCopyUrl('', width, format);

/** Lists the suffixes of all files that a preset produces, the base (an empty suffix) last. */
export const listFileSuffixes = (preset: ImagePreset): string[] => [
  ...preset.widths.flatMap((width) => preset.formats.map((format) => buildDerivedFileSuffix(width, format))),
  '',
];

/** Why an image was refused or could not be processed. */
export type ImageRefusal =
  /** The file is not a JPEG, PNG or WebP image. */
  | 'unsupported'
  /** The header of the file states more pixels than allowed. */
  | 'too_many_pixels'
  /** The file is empty or corrupt. */
  | 'damaged'
  /** The file ends before the picture does. */
  | 'truncated'
  | FileTaskRefusal
  /** The results could not be written, because the disk is full. */
  | 'no_space';

export interface ImageFile {
  /**
   * Suffix appended to the base path to get the path of this file. It is empty for the base picture itself.
   */
  suffix: string;
  /** Path of the local file that contains the encoded picture. */
  path: string;
  contentType: string;
  bytes: number;
}

export interface ProcessedImage {
  /** Width and height of the base picture, in pixels. */
  width: number;
  height: number;
  /** ThumbHash of the picture, in base64. */
  thumbhash: string;
  files: ImageFile[];
}

export type ImageResult = { image: ProcessedImage } | { refused: ImageRefusal };

export interface ImageTask {
  /** Path of the uploaded file. */
  source: string;
  /** An existing folder that receives the results, and that the caller removes. */
  folder: string;
  preset: ImagePresetName;
}
