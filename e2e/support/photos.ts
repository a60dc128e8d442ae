import sharp from 'sharp';

/** Creates a JPEG like a phone's photo: large, noisy, with a location in its metadata. */
export const takePhoto = async (
  name: string,
  colour: { r: number; g: number; b: number },
): Promise<{ name: string; mimeType: string; buffer: Buffer }> => {
  const noise = await sharp({
    create: {
      width: 2000,
      height: 1500,
      channels: 3,
      background: colour,
      noise: { type: 'gaussian', mean: 128, sigma: 20 },
    },
  })
    .png()
    .toBuffer();
  const buffer = await sharp(noise)
    .resize(2400, 1800)
    .tint(colour)
    .withExif({ IFD0: { Make: 'Phone' }, IFD3: { GPSLatitude: '34/1 1/1 0/1' } })
    .jpeg({ quality: 90 })
    .toBuffer();
  return { name, mimeType: 'image/jpeg', buffer };
};
