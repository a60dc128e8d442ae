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

const icons = [...siteIcons, { path: '/apple-touch-icon.png', size: 180, purpose: 'maskable' }];

/** Draws the icon with this path from the logo in a folder, as PNG; undefined for any other path. */
export const drawIcon = async (path: string | undefined, folder: string): Promise<Buffer | undefined> => {
  const icon = icons.find((candidate) => candidate.path === path);
  if (!icon) return undefined;
  const logo = await readFile(join(folder, 'favicon.svg'), 'utf8');
  return draw(icon.purpose === 'any' ? logo : onSquare(logo), icon.size);
};

/** Draws the site's icons from its logo into the public build folder. */
export const drawIcons = async (clientFolder: string): Promise<void> => {
  await mkdir(join(clientFolder, 'icons'), { recursive: true });
  for (const { path } of icons) {
    const drawn = await drawIcon(path, clientFolder);
    if (drawn) await writeFile(join(clientFolder, path), drawn);
  }
};
