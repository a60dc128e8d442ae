import type { ComponentType } from 'react';
import { createRoutesStub, Outlet, useLocation } from 'react-router';
import { toast as sonner } from 'sonner';
import { afterEach, beforeEach } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { defaultCampus } from '#contract/campus.ts';
import { queryClient } from '#web/lib/query-client.ts';
import type { SiteData } from '#web/lib/use-campus.ts';
import { Toaster } from '#web/ui/toaster.tsx';

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
 * Renders screens by their paths, with toasts, and opens an address; every other path shows "Another screen".
 * The element `address` contains the current path and query.
 */
export const openScreen = async (address: string, screens: Record<string, ComponentType>) => {
  const children = Object.entries(screens).map(([path, Component]) => ({ path, Component }));
  const Router = createRoutesStub([
    {
      id: 'root',
      path: '/',
      Component: Site,
      children: [...children, { path: '*', Component: OtherScreen }],
    },
  ]);
  return render(<Router initialEntries={[address]} hydrationData={{ loaderData: { root: siteData } }} />);
};

export const address = page.getByLabelText('Address');
