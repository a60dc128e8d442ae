import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { getBrandPalette } from '#contract/brand-colors.ts';
import type { Campus } from '#contract/campus.ts';
import { renderLogo } from '#contract/logo.ts';
import { siteIcons, touchIconPath } from '#contract/pwa.ts';
import { isNotModified } from '#server/http/freshness.ts';

/**
 * Width of the logo in maskable icons, as a fraction of the icon's width. Operating systems crop
 * maskable icons to their own shape, so the logo needs a margin.
 */
const logoFraction = 0.72;

/** Returns an SVG of the logo centered on a square filled with its background color. */
const renderLogoOnSquare = (background: string): string => {
  const [side, logoSide] = [32, 32 * logoFraction];
  const start = (side - logoSide) / 2;
  const logo = renderLogo(background, `x="${start}" y="${start}" width="${logoSide}" height="${logoSide}"`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}"><rect width="${side}" height="${side}" fill="${background}"/>${logo}</svg>`;
};

const drawPng = async (drawing: string, size: number): Promise<Buffer> => {
  // Loaded when the first icon is drawn, because most processes draw none.
  const { default: sharp } = await import('sharp');
  return sharp(Buffer.from(drawing), { density: 72 * Math.ceil(size / 32) })
    .resize(size, size)
    .png({ compressionLevel: 9 })
    .toBuffer();
};

interface IconFile {
  path: string;
  type: string;
  /** The SVG from which the icon follows, on which its ETag depends. */
  drawing: string;
  render: () => string | Promise<Buffer>;
}

/** Returns the icons of a site, in the brand color of its campus. */
const listIconFiles = ({ colors }: Pick<Campus, 'colors'>): IconFile[] => {
  const { brand } = getBrandPalette(colors?.brand).light;
  const [logo, onSquare] = [renderLogo(brand), renderLogoOnSquare(brand)];
  const drawn = [...siteIcons, { path: touchIconPath, size: 180, purpose: 'maskable' }];
  return [
    { path: '/favicon.svg', type: 'image/svg+xml', drawing: logo, render: () => logo },
    ...drawn.map(({ path, size, purpose }) => {
      const drawing = purpose === 'any' ? logo : onSquare;
      return { path, type: 'image/png', drawing, render: () => drawPng(drawing, size) };
    }),
  ];
};

/** Registers the routes of the icons, which are drawn in the color of the campus when they are first requested. */
export const registerIconRoutes = (server: FastifyInstance, campus: Pick<Campus, 'colors'>): void => {
  const rendered = new Map<string, Promise<string | Buffer>>();
  const renderOnce = ({ path, render }: IconFile): Promise<string | Buffer> => {
    const before = rendered.get(path);
    if (before) return before;
    const icon = Promise.resolve(render());
    rendered.set(path, icon);
    icon.catch(() => rendered.delete(path));
    return icon;
  };
  for (const file of listIconFiles(campus)) {
    const { path, type, drawing } = file;
    const etag = `"${createHash('sha256').update(drawing).digest('base64url').slice(0, 27)}"`;
    server.get(path, async (request, reply) => {
      reply.headers({ 'cache-control': 'public, max-age=3600', etag });
      if (isNotModified(request, etag)) return reply.code(304).send();
      return reply.type(type).send(await renderOnce(file));
    });
  }
};
