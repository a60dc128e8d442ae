import Fastify from 'fastify';
import sharp from 'sharp';
import { expect, test, vi } from 'vitest';
import { siteIcons } from '#contract/pwa.ts';
import { readConfig } from '#server/config.ts';
import { registerIconRoutes } from './icon-routes.ts';

vi.mock('sharp', async (importOriginal) => {
  const { default: original } = await importOriginal<{ default: typeof sharp }>();
  return { default: vi.fn(original) };
});

const createServer = (environment: Record<string, string> = {}) => {
  const server = Fastify();
  registerIconRoutes(server, readConfig(environment).campus);
  return server;
};
const germany = { QUAD_CAMPUS: 'demo/campuses/germany.json' };

/** Returns the color of a pixel, as in '#990000'. */
const readPixel = async (image: Buffer, left: number, top: number): Promise<string> => {
  const pixel = await sharp(image).extract({ left, top, width: 1, height: 1 }).removeAlpha().raw().toBuffer();
  return `#${pixel.toString('hex')}`;
};

test.each([
  ['the default campus', {}, '#990000'],
  ['another campus', germany, '#00457c'],
])('promise 113: all icons of %s have its brand color', async (_name, environment, color) => {
  const server = createServer(environment);
  const favicon = await server.inject('/favicon.svg');
  expect(favicon.headers['content-type']).toBe('image/svg+xml');
  expect(favicon.body).toContain(`fill="${color}"`);
  for (const { path, size } of [...siteIcons, { path: '/apple-touch-icon.png', size: 180 }]) {
    const { rawPayload, headers } = await server.inject(path);
    expect(headers['content-type']).toBe('image/png');
    const { format, width, height } = await sharp(rawPayload).metadata();
    expect([format, width, height], path).toEqual(['png', size, size]);
    expect(await readPixel(rawPayload, Math.round(size / 2), Math.round(size * 0.17)), path).toBe(color);
    const corner = await sharp(rawPayload).ensureAlpha().raw().toBuffer();
    expect(corner[3], path).toBe(path.startsWith('/icons/any') ? 0 : 255);
  }
});

test('an icon is revalidated after an hour, and sent again only if its color has changed', async () => {
  for (const path of ['/favicon.svg', '/apple-touch-icon.png']) {
    const { headers } = await createServer().inject(path);
    expect(headers['cache-control']).toBe('public, max-age=3600');
    const conditional = { url: path, headers: { 'if-none-match': String(headers.etag) } };
    const unchanged = await createServer().inject(conditional);
    expect([unchanged.statusCode, unchanged.body]).toEqual([304, '']);
    expect((await createServer(germany).inject(conditional)).statusCode).toBe(200);
  }
});

test('an icon that several devices request at once is drawn once, and again after a failure', async () => {
  const server = createServer();
  const draw = vi.mocked(sharp).mockClear();
  const request = async () => (await server.inject('/apple-touch-icon.png')).statusCode;
  draw.mockImplementationOnce(() => {
    throw new Error('There is no memory left.');
  });
  expect(await request()).toBe(500);
  expect(await Promise.all([request(), request(), request()])).toEqual([200, 200, 200]);
  expect(await request()).toBe(200);
  expect(draw).toHaveBeenCalledTimes(2);
});
