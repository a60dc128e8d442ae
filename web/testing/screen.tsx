import type { ComponentType } from 'react';
import {
  createRoutesStub,
  type LoaderFunction,
  Outlet,
  RouterContextProvider,
  useLocation,
} from 'react-router';
import { toast as sonner } from 'sonner';
import { afterEach, beforeEach } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { calls } from '#contract/calls.ts';
import { type Campus, defaultCampus } from '#contract/campus.ts';
import type { PageRenderContext, PublicDataReader } from '#contract/page-rendering.ts';
import { request } from '#web/lib/api.ts';
import { pageLoaderContext } from '#web/lib/page-context.ts';
import { queryClient } from '#web/lib/query-client.ts';
import type { SiteData } from '#web/lib/use-campus.ts';
import { Toaster } from '#web/ui/toaster.tsx';

/** A route component, or the route module of a public screen, whose loader reads its data through the test API. */
type Screen = ComponentType | { default: ComponentType; loader: LoaderFunction };

const reads: Pick<PublicDataReader, 'listListings' | 'listSimilarMatches' | 'getListing' | 'listSimilar'> = {
  listListings: (query) => request(calls.listListings, { query }),
  listSimilarMatches: async (query) => (await request(calls.listSimilarMatches, { query })).items,
  getListing: (slug) => request(calls.getListing, { params: { slug } }),
  listSimilar: async (slug) => (await request(calls.listSimilar, { params: { slug } })).items,
};

const createLoaderContext = () => {
  const context = { reads, campus: defaultCampus, now: new Date() };
  return new RouterContextProvider(new Map([[pageLoaderContext, context as PageRenderContext]]));
};

const siteData: SiteData = { campus: defaultCampus, publicUrl: 'http://quad.test', announcement: null };

function Site() {
  const { pathname, search } = useLocation();
  return (
    <>
      <output aria-label="Address">{pathname + search}</output>
      <main>
        <Outlet />
      </main>
      <Toaster />
    </>
  );
}

/** Shows where the current screen leads to without loading the other screen. */
function OtherScreen() {
  return <h1>Another screen</h1>;
}

// The cache of calls and the list of toasts are module variables, which would keep the state of the previous test.
beforeEach(() => queryClient.clear());
afterEach(() => void sonner.dismiss());

/**
 * Renders screens of a campus by their paths, with toasts, and opens an address; every other path shows "Another screen".
 * The element `address` contains the current path and query.
 */
export const openScreen = async (
  address: string,
  screens: Record<string, Screen>,
  campus: Campus = defaultCampus,
) => {
  const data = { ...siteData, campus };
  const children = Object.entries(screens).map(([path, screen]) =>
    'loader' in screen
      ? { path, Component: screen.default, loader: screen.loader, HydrateFallback: () => null }
      : { path, Component: screen },
  );
  const root = {
    id: 'root',
    path: '/',
    Component: Site,
    // The router drops the data of a route without a loader when the loader of another route has run.
    loader: () => data,
    shouldRevalidate: () => false,
    children: [...children, { path: '*', Component: OtherScreen }],
  };
  const Router = createRoutesStub([root], createLoaderContext());
  // Like a page that is loaded, whatever an earlier screen of the test has scrolled to.
  window.scrollTo({ top: 0, behavior: 'instant' });
  return render(<Router initialEntries={[address]} hydrationData={{ loaderData: { root: data } }} />);
};

export const address = page.getByLabelText('Address');
