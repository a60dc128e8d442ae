import { data, type MetaFunction } from 'react-router';
import { links } from '#web/lib/links.ts';
import { createPageMeta, getSiteData } from '#web/lib/page-meta.ts';
import { PageNotFound } from '#web/shell/page-not-found.tsx';

export const loader = () => data(null, { status: 404 });

export const meta: MetaFunction = ({ matches }) =>
  createPageMeta(getSiteData(matches), {
    title: 'Page not found',
    description: 'There is nothing at this address.',
    path: links.home,
    unlisted: true,
  });

export default function NotFound() {
  return <PageNotFound />;
}
