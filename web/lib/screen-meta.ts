import type { MetaFunction } from 'react-router';
import { siteOf } from './page-meta.ts';

/** Returns the meta tags of an account or private screen: a title and noindex. */
export const screenMeta =
  (title: string): MetaFunction =>
  ({ matches }) => [
    { title: `${title} · ${siteOf(matches).campus.siteName}` },
    { name: 'robots', content: 'noindex' },
  ];
