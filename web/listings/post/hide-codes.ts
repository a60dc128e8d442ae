import { jpegQuality } from '#contract/photos.ts';
import { type PictureArea, toJpegFilename } from '#web/lib/photo-upload.ts';
import { readBarcodes } from '#web/lib/read-barcodes.ts';

/** The error message of a photo with a code. */
export const visibleCodeMessage = 'Hide the code: anyone could use it';

/** How much of a code's size is hidden around it, because its corners are those of its outer pattern. */
const margin = 0.15;

/** The number of colors per side in which a hidden code is drawn, too few to read anything. */
const colorsPerSide = 4;

/**
 * Returns where a photo shows codes that can be read. Returns none when that cannot be found out, because a photo is not
 * refused for a reason that its owner cannot change.
 */
export const findCodes = async (photo: File): Promise<PictureArea[]> => {
  try {
    return (await readBarcodes(photo)).map(({ area: { x, y, width, height } }) => {
      const hidden = Math.max(width, height) * margin;
      return { x: x - hidden, y: y - hidden, width: width + 2 * hidden, height: height + 2 * hidden };
    });
  } catch {
    return [];
  }
};

const createCanvas = (width: number, height: number) => {
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser cannot draw pictures.');
  return { canvas, context };
};

/** Returns the photo with these areas blurred until nothing in them can be read. */
export const hideCodes = async (photo: File, areas: readonly PictureArea[]): Promise<File> => {
  const bitmap = await createImageBitmap(photo, { imageOrientation: 'from-image' });
  try {
    const { canvas, context } = createCanvas(bitmap.width, bitmap.height);
    context.drawImage(bitmap, 0, 0);
    for (const { x, y, width, height } of areas) {
      const small = createCanvas(colorsPerSide, colorsPerSide);
      small.context.imageSmoothingQuality = 'high';
      small.context.drawImage(bitmap, x, y, width, height, 0, 0, colorsPerSide, colorsPerSide);
      context.drawImage(small.canvas, x, y, width, height);
    }
    const jpeg = await new Promise<Blob | null>((resolve) =>
      canvas.toBlob(resolve, 'image/jpeg', jpegQuality),
    );
    if (!jpeg) throw new Error('The picture could not be encoded.');
    return new File([jpeg], toJpegFilename(photo.name), { type: 'image/jpeg' });
  } finally {
    bitmap.close();
  }
};
