import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { siteIcons, themeColors } from '#contract/pwa.ts';

/**
 * Width of the logo in maskable icons, as a fraction of the icon's width. Operating systems crop
 * maskable icons to their own shape, so the logo needs a margin.
 */
const logoFraction = 0.72;
const sidePixels = 512;

/** Returns an SVG of the logo centered on a square filled with the brand color. */
const placeLogoOnSquare = (logo: string): string => {
  const margin = (sidePixels * (1 - logoFraction)) / 2;
  const placed = logo.replace(
    '<svg ',
    `<svg x="${margin}" y="${margin}" width="${sidePixels * logoFraction}" `,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${sidePixels} ${sidePixels}"><rect width="${sidePixels}" height="${sidePixels}" fill="${themeColors.brand}"/>${placed}</svg>`;
};

const renderPng = (drawing: string, size: number): Promise<Buffer> =>
  sharp(Buffer.from(drawing), { density: 72 * Math.ceil(size / 32) })
    .resize(size, size)
    .png({ compressionLevel: 9 })
    .toBuffer();

const iconsToDraw = [...siteIcons, { path: '/apple-touch-icon.png', size: 180, purpose: 'maskable' }];

/**
 * Draws the icon that belongs to a URL path, from the logo in a folder. Returns PNG bytes, or undefined when
 * no icon has this path.
 */
export const drawIcon = async (path: string | undefined, folder: string): Promise<Buffer | undefined> => {
  const icon = iconsToDraw.find((candidate) => candidate.path === path);
  if (!icon) return undefined;
  const logo = await readFile(join(folder, 'favicon.svg'), 'utf8');
  return renderPng(icon.purpose === 'any' ? logo : placeLogoOnSquare(logo), icon.size);
};

/** Draws all icons of the site from the logo in the client build folder, and writes them there. */
export const drawIcons = async (clientFolder: string): Promise<void> => {
  await mkdir(join(clientFolder, 'icons'), { recursive: true });
  for (const { path } of iconsToDraw) {
    const drawn = await drawIcon(path, clientFolder);
    if (drawn) await writeFile(join(clientFolder, path), drawn);
  }
};
