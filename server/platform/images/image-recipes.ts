import { jpegQuality, longestSide, photoFormats, photoWidths, variantUrl } from '#contract/photos.ts';

/** What becomes of an upload. Pure data: the server reads it without loading the image library. */
export interface Recipe {
  /** Longest side of the base picture, in pixels. */
  side: number;
  /** Cut to a square from the middle. */
  square: boolean;
  /**
   * Derived widths, in pixels, rising. All of them are made of every picture, so that their names need no look at
   * the picture; one too narrow for a width fills it as far as it goes, since nothing is ever enlarged.
   */
  widths: readonly number[];
  formats: readonly Format[];
}

export type Format = (typeof photoFormats)[number];
export type RecipeName = 'listing-photo' | 'avatar';

export const recipes: Record<RecipeName, Recipe> = {
  'listing-photo': { side: longestSide, square: false, widths: photoWidths, formats: photoFormats },
  avatar: { side: 512, square: true, widths: [96, 256, 512], formats: ['webp', 'jpeg'] },
};

/**
 * Quality and effort of each format. Measured on one core with a 12-megapixel photo: AVIF effort 2 takes three
 * times as long as 0 and saves nothing, JPEG with trellis search eight times as long and saves a tenth.
 */
export const encoding = {
  base: { quality: Math.round(jpegQuality * 100) },
  jpeg: { quality: 80 },
  webp: { quality: 78, effort: 2 },
  avif: { quality: 55, effort: 0 },
} as const;

/** The ending that names a derived file after its base path. */
export const derivedSuffix = (width: number, format: Format): string => variantUrl('', width, format);

/** Every ending a recipe produces, the base (no ending) last. */
export const allSuffixes = (recipe: Recipe): string[] => [
  ...recipe.widths.flatMap((width) => recipe.formats.map((format) => derivedSuffix(width, format))),
  '',
];

/** Why an image was not accepted, or could not be worked on. */
export type ImageRefusal =
  /** Not a JPEG, PNG or WebP by content. */
  | 'unsupported'
  /** More pixels than allowed, by its header. */
  | 'too_many_pixels'
  /** Empty, truncated or corrupt. */
  | 'damaged'
  /** The image process died, or took too long and was ended. */
  | 'failed'
  /** Too many images are waiting. */
  | 'busy'
  /** The disk is full. */
  | 'no_space';

export interface ImageFile {
  /** Ending after the base path; empty for the base itself. */
  suffix: string;
  /** Local file that holds the bytes. */
  path: string;
  contentType: string;
  bytes: number;
}

export interface ProcessedImage {
  /** Of the base, in pixels. */
  width: number;
  height: number;
  /** base64 */
  thumbhash: string;
  files: ImageFile[];
}

export type ImageResult = { image: ProcessedImage } | { refused: ImageRefusal };

export interface ImageJob {
  id: number;
  /** The uploaded file. */
  source: string;
  /** An existing folder for the results. */
  folder: string;
  recipe: RecipeName;
}
export type ImageAnswer = { id: number } & ImageResult;
