import { jpegQuality, longestSide } from '#contract/photos.ts';

/** The size a picture is kept in: its longest side at most 1600 pixels, never enlarged, never below 1. */
export const fittedSize = (
  width: number,
  height: number,
  limit: number = longestSide,
): { width: number; height: number } => {
  const scale = Math.min(1, limit / Math.max(width, height));
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
};

/** A rectangle of a picture that stands upright, in its own pixels. */
export interface PicturePart {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The name of a picture after it became a JPEG. */
export const jpegName = (name: string): string => `${name.replace(/\.[^.]*$/, '') || 'photo'}.jpg`;

const toJpeg = async (
  bitmap: ImageBitmap,
  part: PicturePart,
  size: { width: number; height: number },
): Promise<Blob> => {
  const draw = (context: OffscreenCanvasRenderingContext2D | CanvasRenderingContext2D | null): void => {
    if (!context) throw new Error('This browser cannot draw pictures.');
    // JPEG has no transparency: what was clear becomes white, not black.
    context.fillStyle = '#fff';
    context.fillRect(0, 0, size.width, size.height);
    context.imageSmoothingQuality = 'high';
    context.drawImage(bitmap, part.x, part.y, part.width, part.height, 0, 0, size.width, size.height);
  };
  if (typeof OffscreenCanvas !== 'undefined') {
    const canvas = new OffscreenCanvas(size.width, size.height);
    draw(canvas.getContext('2d'));
    return canvas.convertToBlob({ type: 'image/jpeg', quality: jpegQuality });
  }
  const canvas = Object.assign(document.createElement('canvas'), size);
  draw(canvas.getContext('2d'));
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be encoded.'))),
      'image/jpeg',
      jpegQuality,
    );
  });
};

/**
 * Makes a photo ready to send (§5, Photo files): upright, its longest side at most 1600 pixels, JPEG at
 * quality 0.85; or only a part of it. Rejects when the browser cannot read it as a picture.
 */
export const resizeImage = async (
  file: File,
  { part, limit = longestSide }: { part?: PicturePart; limit?: number } = {},
): Promise<File> => {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
  try {
    const kept = part ?? { x: 0, y: 0, width: bitmap.width, height: bitmap.height };
    const jpeg = await toJpeg(bitmap, kept, fittedSize(kept.width, kept.height, limit));
    return new File([jpeg], jpegName(file.name), { type: 'image/jpeg' });
  } finally {
    bitmap.close();
  }
};
