import {
  createFileProcess,
  type FileProcess,
  type FileProcessOptions,
} from '#server/platform/files/file-process.ts';
import type { ImageResult, ImageTask } from './image-presets.ts';

/** Converts uploaded images, in a separate process, into pictures that are safe to serve. */
export type ImageProcessor = FileProcess<ImageTask, ImageResult>;

/** Creates the process that decodes and re-encodes images. It starts with the first image. */
export const createImageProcessor = (options?: FileProcessOptions): ImageProcessor =>
  createFileProcess(new URL('./image-process.ts', import.meta.url), options);
