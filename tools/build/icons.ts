import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { frameColours, siteIcons } from '#contract/offline.ts';

/** Share of the square that the logo takes in maskable icons, which systems crop to their own shape. */
const safeShare = 0.72;
const side = 512;

/** Draws the logo on a full-bleed square of its own color. */
const onSquare = (logo: string): string => {
  const margin = (side * (1 - safeShare)) / 2;
  const placed = logo.replace('<svg ', `<svg x="${margin}" y="${margin}" width="${side * safeShare}" `);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}"><rect width="${side}" height="${side}" fill="${frameColours.brand}"/>${placed}</svg>`;
};

const draw = (drawing: string, size: number): Promise<Buffer> =>
  sharp(Buffer.from(drawing), { density: 72 * Math.ceil(size / 32) })
    .resize(size, size)
    .png({ compressionLevel: 9 })
    .toBuffer();

/** Draws the site's icons from its logo into the public build folder. */
export const drawIcons = async (clientFolder: string): Promise<void> => {
  const logo = await readFile(join(clientFolder, 'favicon.svg'), 'utf8');
  const square = onSquare(logo);
  await mkdir(join(clientFolder, 'icons'), { recursive: true });
  const wanted = [...siteIcons, { path: '/apple-touch-icon.png', size: 180, purpose: 'maskable' }];
  for (const { path, size, purpose } of wanted) {
    await writeFile(join(clientFolder, path), await draw(purpose === 'any' ? logo : square, size));
  }
};
