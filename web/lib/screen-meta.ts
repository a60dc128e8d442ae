import type { MetaFunction } from 'react-router';
import { siteOf } from './page-meta.ts';

/** The head of an account or private screen: a title, and nothing for search engines. */
export const screenMeta =
  (title: string): MetaFunction =>
  ({ matches }) => [
    { title: `${title} · ${siteOf(matches).campus.siteName}` },
    { name: 'robots', content: 'noindex' },
  ];
