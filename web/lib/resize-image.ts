import { jpegQuality, maxSidePixels } from '#contract/photos.ts';

/**
 * Returns a picture's size in pixels, scaled down so that its longer side is at most `limit`; each side is at least 1.
 */
export const scaleDownToLimit = (
  width: number,
  height: number,
  limit: number = maxSidePixels,
): { width: number; height: number } => {
  const scale = Math.min(1, limit / Math.max(width, height));
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
};

/** A rectangle inside a picture, in pixels, after its EXIF rotation was applied. */
export interface PictureArea {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Returns the file name of a picture after conversion to JPEG. */
export const toJpegFilename = (name: string): string => `${name.replace(/\.[^.]*$/, '') || 'photo'}.jpg`;

const encodeJpeg = async (
  bitmap: ImageBitmap,
  part: PictureArea,
  size: { width: number; height: number },
): Promise<Blob> => {
  const drawArea = (context: OffscreenCanvasRenderingContext2D | CanvasRenderingContext2D | null): void => {
    if (!context) throw new Error('This browser cannot draw pictures.');
    // JPEG has no transparency, so transparent areas are filled with white; the default would be black.
    context.fillStyle = '#fff';
    context.fillRect(0, 0, size.width, size.height);
    context.imageSmoothingQuality = 'high';
    context.drawImage(bitmap, part.x, part.y, part.width, part.height, 0, 0, size.width, size.height);
  };
  if (typeof OffscreenCanvas !== 'undefined') {
    const canvas = new OffscreenCanvas(size.width, size.height);
    drawArea(canvas.getContext('2d'));
    return canvas.convertToBlob({ type: 'image/jpeg', quality: jpegQuality });
  }
  const canvas = Object.assign(document.createElement('canvas'), size);
  drawArea(canvas.getContext('2d'));
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be encoded.'))),
      'image/jpeg',
      jpegQuality,
    );
  });
};

/**
 * Prepares a photo, or a part of it, for upload (specification §5, Photo files): upright, longest side at most 1600
 * pixels, JPEG at quality 0.85. Rejects when the browser cannot decode it.
 */
export const resizeImage = async (
  file: File,
  { part, limit = maxSidePixels }: { part?: PictureArea; limit?: number } = {},
): Promise<File> => {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
  try {
    const sourceArea = part ?? { x: 0, y: 0, width: bitmap.width, height: bitmap.height };
    const jpeg = await encodeJpeg(
      bitmap,
      sourceArea,
      scaleDownToLimit(sourceArea.width, sourceArea.height, limit),
    );
    return new File([jpeg], toJpegFilename(file.name), { type: 'image/jpeg' });
  } finally {
    bitmap.close();
  }
};
