import type { FastifyInstance } from 'fastify';
import { categories } from '#contract/categories.ts';
import type { PublicReads } from '#contract/reads.ts';
import type { Clock } from '#server/platform/clock.ts';

/** Listings named in the site map: the newest; older ones are found through their categories. */
const mostListings = 2000;
const readAtOnce = 100;
/** How long a site map is kept, in milliseconds. */
const keptMs = 10 * 60_000;

/** Pages whose text does not depend on what is for sale. */
const fixedPages = [
  '/how-it-works',
  '/safety',
  '/guidelines',
  '/about',
  '/careers',
  '/contact',
  '/terms',
  '/privacy',
];

/** Screens of one person alone. */
const privateScreens = [
  '/post-ad',
  '/my-listings',
  '/messages',
  '/profile',
  '/auth/',
  '/reset-password',
  '/rest/',
  '/functions/',
];

interface SiteMapDeps {
  reads: Pick<PublicReads, 'listListings'>;
  publicUrl: string;
  clock: Clock;
}

const escapeXml = (text: string): string =>
  text.replace(/[<>&'"]/g, (character) => `&#${character.charCodeAt(0)};`);

const write = (entries: readonly { address: string; changed?: string }[]): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...entries.map(({ address, changed }) => {
      const lastmod = changed ? `<lastmod>${changed.slice(0, 10)}</lastmod>` : '';
      return `<url><loc>${escapeXml(address)}</loc>${lastmod}</url>`;
    }),
    '</urlset>',
    '',
  ].join('\n');

/** Serves /robots.txt and /sitemap.xml. */
export const siteMapRoutes = (app: FastifyInstance, { reads, publicUrl, clock }: SiteMapDeps): void => {
  let kept: { text: Promise<string>; until: number } | undefined;

  const make = async (): Promise<string> => {
    const entries: { address: string; changed?: string }[] = [
      { address: `${publicUrl}/` },
      ...categories.map((category) => ({ address: `${publicUrl}/category/${category}` })),
      ...fixedPages.map((path) => ({ address: `${publicUrl}${path}` })),
    ];
    let cursor: string | undefined;
    for (let read = 0; read < mostListings; read += readAtOnce) {
      const page = await reads.listListings({
        sort: 'newest',
        limit: readAtOnce,
        ...(cursor ? { cursor } : {}),
      });
      for (const { slug, created_at } of page.items) {
        entries.push({ address: `${publicUrl}/listing/${encodeURIComponent(slug)}`, changed: created_at });
      }
      if (!page.next_cursor) break;
      cursor = page.next_cursor;
    }
    return write(entries);
  };

  const current = (): Promise<string> => {
    const now = clock.now().getTime();
    if (kept && now < kept.until) return kept.text;
    const made = { text: make(), until: now + keptMs };
    made.text.catch(() => {
      if (kept === made) kept = undefined;
    });
    kept = made;
    return made.text;
  };

  app.get('/robots.txt', async (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(
        [
          'User-agent: *',
          ...privateScreens.map((path) => `Disallow: ${path}`),
          '',
          `Sitemap: ${publicUrl}/sitemap.xml`,
          '',
        ].join('\n'),
      ),
  );

  app.get('/sitemap.xml', async (_request, reply) =>
    reply
      .type('application/xml; charset=utf-8')
      .header('cache-control', 'public, max-age=600')
      .send(await current()),
  );
};
