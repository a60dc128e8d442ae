import type { MetaArgs, MetaDescriptor, MetaFunction } from 'react-router';
import { defaultCampus } from '#contract/campus.ts';
import type { SiteData } from './use-campus.ts';

export interface PageMeta {
  /** The page's title without the site's name, which is appended. */
  title: string;
  description: string;
  path: string;
  /** Picture for link previews, as a path on this site. Defaults to the site's icon. */
  image?: { path: string; alt: string } | undefined;
  type?: 'website' | 'product' | undefined;
  /** Whether to exclude the page from search engines (noindex). */
  unlisted?: boolean | undefined;
  /** Structured data (schema.org). */
  structured?: object | undefined;
}

/** Returns the root loader's data from the `matches` argument of a meta function. */
export const getSiteData = (matches: MetaArgs['matches']): SiteData => {
  const root = matches.find((match) => match?.id === 'root');
  return (
    (root?.loaderData as SiteData | undefined) ?? { campus: defaultCampus, publicUrl: '', announcement: null }
  );
};

/** Shortens a text at a word boundary to at most `length` characters; link previews show about 160. */
export const toExcerpt = (text: string, length = 160): string => {
  const singleLine = text.replace(/\s+/g, ' ').trim();
  if (singleLine.length <= length) return singleLine;
  const cut = singleLine.slice(0, length);
  const lastSpace = cut.lastIndexOf(' ');
  return `${lastSpace > length / 2 ? cut.slice(0, lastSpace) : cut}…`;
};

/** Returns the meta tags of a public page: title, description, canonical link, and link previews. */
export const createPageMeta = ({ campus, publicUrl }: SiteData, page: PageMeta): MetaDescriptor[] => {
  const title = page.title === campus.siteName ? page.title : `${page.title} · ${campus.siteName}`;
  const url = `${publicUrl}${page.path}`;
  const image = page.image ?? { path: '/icons/any-512.png', alt: campus.siteName };
  const imageUrl = `${publicUrl}${image.path}`;
  return [
    { title },
    { name: 'description', content: page.description },
    ...(page.unlisted
      ? [{ name: 'robots', content: 'noindex' }]
      : [{ tagName: 'link' as const, rel: 'canonical', href: url }]),
    { property: 'og:site_name', content: campus.siteName },
    { property: 'og:type', content: page.type ?? 'website' },
    { property: 'og:title', content: page.title },
    { property: 'og:description', content: page.description },
    { property: 'og:url', content: url },
    { property: 'og:image', content: imageUrl },
    { property: 'og:image:alt', content: image.alt },
    { name: 'twitter:card', content: page.image ? 'summary_large_image' : 'summary' },
    { name: 'twitter:title', content: page.title },
    { name: 'twitter:description', content: page.description },
    { name: 'twitter:image', content: imageUrl },
    ...(page.structured ? [{ 'script:ld+json': page.structured as never }] : []),
  ];
};

/** Returns a meta function that sets title and noindex, for account and private screens. */
export const createScreenMeta =
  (title: string): MetaFunction =>
  ({ matches }) => [
    { title: `${title} · ${getSiteData(matches).campus.siteName}` },
    { name: 'robots', content: 'noindex' },
  ];
