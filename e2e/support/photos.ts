import sharp from 'sharp';

/**
 * Creates a JPEG with the size and the metadata of a phone's photo, including a location. By default it is a
 * plain area of one color. With `isNoisy` it has fine detail like a real photo, which takes seconds to encode
 * in every size and format, so only the test of the whole upload uses that.
 */
export const createPhotoFile = async (
  name: string,
  color: { r: number; g: number; b: number },
  { isNoisy = false } = {},
): Promise<{ name: string; mimeType: string; buffer: Buffer }> => {
  const noise = { type: 'gaussian', mean: 128, sigma: 20 } as const;
  const area = { width: 2400, height: 1800, channels: 3, background: color } as const;
  const buffer = await sharp({ create: isNoisy ? { ...area, noise } : area })
    .tint(color)
    .withExif({ IFD0: { Make: 'Phone' }, IFD3: { GPSLatitude: '34/1 1/1 0/1' } })
    .jpeg({ quality: 90 })
    .toBuffer();
  return { name, mimeType: 'image/jpeg', buffer };
};
