import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { frameColours, siteIcons } from '#contract/offline.ts';

/** Share of its square that the logo takes where the square is cut to a shape of the system's choosing. */
const safeShare = 0.72;
const side = 512;

/** The logo on a square of its own colour, which reaches to every edge. */
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

/** Draws the icons of the site from its logo into the folder that browsers fetch from. */
export const drawIcons = async (clientFolder: string): Promise<void> => {
  const logo = await readFile(join(clientFolder, 'favicon.svg'), 'utf8');
  const square = onSquare(logo);
  await mkdir(join(clientFolder, 'icons'), { recursive: true });
  const wanted = [...siteIcons, { path: '/apple-touch-icon.png', size: 180, purpose: 'maskable' }];
  for (const { path, size, purpose } of wanted) {
    await writeFile(join(clientFolder, path), await draw(purpose === 'any' ? logo : square, size));
  }
};
