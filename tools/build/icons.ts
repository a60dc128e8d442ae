import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { frameColors, siteIcons } from '#contract/offline.ts';

/** Fraction of the side that the logo covers in maskable icons, which operating systems crop to their own shape. */
const logoFraction = 0.72;
const sidePixels = 512;

/** Returns an SVG of the logo centered on a square filled with the brand color. */
const placeOnSquare = (logo: string): string => {
  const margin = (sidePixels * (1 - logoFraction)) / 2;
  const placed = logo.replace(
    '<svg ',
    `<svg x="${margin}" y="${margin}" width="${sidePixels * logoFraction}" `,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${sidePixels} ${sidePixels}"><rect width="${sidePixels}" height="${sidePixels}" fill="${frameColors.brand}"/>${placed}</svg>`;
};

const drawPng = (drawing: string, size: number): Promise<Buffer> =>
  sharp(Buffer.from(drawing), { density: 72 * Math.ceil(size / 32) })
    .resize(size, size)
    .png({ compressionLevel: 9 })
    .toBuffer();

const icons = [...siteIcons, { path: '/apple-touch-icon.png', size: 180, purpose: 'maskable' }];

/** Draws the icon for a URL path from the logo in a folder; returns PNG bytes, or undefined when no icon has this path. */
export const drawIcon = async (path: string | undefined, folder: string): Promise<Buffer | undefined> => {
  const icon = icons.find((candidate) => candidate.path === path);
  if (!icon) return undefined;
  const logo = await readFile(join(folder, 'favicon.svg'), 'utf8');
  return drawPng(icon.purpose === 'any' ? logo : placeOnSquare(logo), icon.size);
};

/** Draws all icons of the site from the logo in the client build folder, and writes them there. */
export const drawIcons = async (clientFolder: string): Promise<void> => {
  await mkdir(join(clientFolder, 'icons'), { recursive: true });
  for (const { path } of icons) {
    const drawn = await drawIcon(path, clientFolder);
    if (drawn) await writeFile(join(clientFolder, path), drawn);
  }
};
