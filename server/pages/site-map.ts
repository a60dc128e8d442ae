import type { FastifyInstance, FastifyReply } from 'fastify';
import { categories } from '#contract/categories.ts';
import { buildCoursePath } from '#contract/course-path.ts';
import { createProblem } from '#contract/errors.ts';
import type { SitemapListings } from '#contract/page-rendering.ts';
import { privateScreenPaths } from '#contract/private-screens.ts';
import type { App } from '#server/app.ts';
import { getEndOfDay } from '#server/platform/clock.ts';

/**
 * Number of listings in a site map file. A file may contain at most 50,000 URLs (sitemaps.org), and the first
 * one also contains our fixed pages and those of courses.
 */
const listingsPerFile = 49_000;
/**
 * How long a site map file is cached, in milliseconds, and the maximum number of cached files. A
 * full file takes several megabytes.
 */
const cacheTtlMs = 10 * 60_000;
const maxCachedFiles = 4;
/** How long clients may cache a site map file, in seconds. */
const maxAgeSeconds = 300;

/** Pages whose content does not depend on listings. */
const fixedPagePaths = [
  '/how-it-works',
  '/safety',
  '/guidelines',
  '/about',
  '/careers',
  '/contact',
  '/terms',
  '/privacy',
];

/** Paths that robots.txt disallows: the private screens and the API. */
const disallowedPaths = [
  ...privateScreenPaths,
  '/appeal/',
  '/moderation',
  '/auth/',
  '/reset-password',
  '/rest/',
  '/functions/',
];

/**
 * Lists the slugs and update times of the published listings in one part of the site map; a part has `size`
 * listings.
 */
export type SitemapReader = (part: number, size: number) => Promise<SitemapListings>;

interface SiteMapEntry {
  address: string;
  changed?: string;
}

const siteMapNamespace = 'http://www.sitemaps.org/schemas/sitemap/0.9';

const escapeXml = (text: string): string =>
  text.replace(/[<>&'"]/g, (character) => `&#${character.charCodeAt(0)};`);

const writeSiteMapXml = (list: 'urlset' | 'sitemapindex', entries: readonly SiteMapEntry[]): string => {
  const tag = list === 'urlset' ? 'url' : 'sitemap';
  const lines = entries.map(({ address, changed }) => {
    const lastmod = changed ? `<lastmod>${changed.slice(0, 10)}</lastmod>` : '';
    return `<${tag}><loc>${escapeXml(address)}</loc>${lastmod}</${tag}>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<${list} xmlns="${siteMapNamespace}">`,
    ...lines,
    `</${list}>`,
    '',
  ].join('\n');
};

/** Serves /robots.txt and /sitemap.xml: one file, or an index of several when there are too many URLs. */
export const registerSiteMapRoutes = (
  server: FastifyInstance,
  { config: { campus, publicUrl }, clock }: App,
  listSitemapListings: SitemapReader,
  inAFile = listingsPerFile,
): void => {
  const cache = new Map<string, { text: Promise<string>; expiresAt: number }>();

  const writeListings = async (part: number): Promise<string> => {
    const { items, total, courses = [] } = await listSitemapListings(part, inAFile);
    if (part > 0 && part * inAFile >= total) throw createProblem('not_found');
    const fixed =
      part === 0
        ? ['/', '/browse', ...categories.map((category) => `/category/${category}`), ...fixedPagePaths]
        : [];
    return writeSiteMapXml('urlset', [
      ...[...fixed, ...courses.map(buildCoursePath)].map((path) => ({ address: `${publicUrl}${path}` })),
      ...items.map(({ slug, updated_at }) => ({
        address: `${publicUrl}/listing/${encodeURIComponent(slug)}`,
        changed: updated_at,
      })),
    ]);
  };

  const writeMap = async (): Promise<string> => {
    const { total, changed_at: changed } = await listSitemapListings(0, 0);
    if (total <= inAFile) return writeListings(0);
    const files = Array.from({ length: Math.ceil(total / inAFile) }, (_, part) => part + 1);
    // All files have the same change date: a new listing is inserted at the start and shifts all others, so
    // every file changes.
    return writeSiteMapXml(
      'sitemapindex',
      files.map((file) => ({ address: `${publicUrl}/sitemap-${file}.xml`, ...(changed && { changed }) })),
    );
  };

  /** Returns when the campus day ends, after which passed games leave the site map. */
  const getMidnight = (): number => getEndOfDay(clock.now(), campus.timezone).getTime();

  const getCached = (name: string, writeFile: () => Promise<string>): Promise<string> => {
    const now = clock.now().getTime();
    const known = cache.get(name);
    if (known && now < known.expiresAt) return known.text;
    const created = { text: writeFile(), expiresAt: Math.min(now + cacheTtlMs, getMidnight()) };
    created.text.catch(() => {
      if (cache.get(name) === created) cache.delete(name);
    });
    cache.delete(name);
    cache.set(name, created);
    for (const oldest of [...cache.keys()].slice(0, -maxCachedFiles)) cache.delete(oldest);
    return created.text;
  };

  const send = (reply: FastifyReply, text: string) => {
    const secondsToday = Math.floor((getMidnight() - clock.now().getTime()) / 1000);
    return reply
      .type('application/xml; charset=utf-8')
      .header('cache-control', `public, max-age=${Math.min(maxAgeSeconds, secondsToday)}`)
      .send(text);
  };

  server.get('/robots.txt', async (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(
        [
          'User-agent: *',
          ...disallowedPaths.map((path) => `Disallow: ${path}`),
          '',
          `Sitemap: ${publicUrl}/sitemap.xml`,
          '',
        ].join('\n'),
      ),
  );

  server.get('/sitemap.xml', async (_request, reply) => send(reply, await getCached('map', writeMap)));

  server.get<{ Params: { file: string } }>('/sitemap-:file(^[1-9]\\d{0,3}$).xml', async ({ params }, reply) =>
    send(reply, await getCached(params.file, () => writeListings(Number(params.file) - 1))),
  );
};
