import { type Browser, type BrowserContext, expect, type Page, type Request } from '@playwright/test';
import { startDemoServer } from './support/demo.ts';
import { openReadyPage } from './support/hydration.ts';
import type { QuadServer } from './support/quad-server.ts';
import type { Screen } from './support/screen.ts';
import { prepareScreens } from './support/screen-catalog.ts';
import { test } from './support/test.ts';
import { expectToastCoversNothing, showToast } from './support/toasts.ts';
import { visitInGroups } from './support/visit-in-groups.ts';

let demoServer: QuadServer;
test.beforeAll(async () => {
  demoServer = await startDemoServer();
});
test.afterAll(() => demoServer.stop());

/** What the test records while it visits a screen. */
interface Visit {
  name: string;
  /** Requests that changed data until the screen was shown, except those that only mark something as seen. */
  writes: string[];
  /** Problems found with toasts on this screen, such as covered controls. */
  toastFailures: unknown[];
}

/** Returns whether a request only marks something as seen by its sender, which other people do not notice. */
const isSeenMark = (request: Request): boolean => {
  const { pathname } = new URL(request.url());
  if (/^\/rest\/v1\/conversations\/[^/]+\/read$/.test(pathname)) return true;
  return (
    /^\/rest\/v1\/me\/saved-searches\/[^/]+$/.test(pathname) && request.postData() === '{"visited":true}'
  );
};

const recordWrites = (page: Page): string[] => {
  const writes: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET' && !isSeenMark(request))
      writes.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  return writes;
};

const checkToasts = async (page: Page, name: string): Promise<unknown[]> => {
  const failures: unknown[] = [];
  const expectNothingCovered = (where: string): Promise<unknown> =>
    expectToastCoversNothing(page, where).catch((error: unknown) => failures.push(error));
  await showToast(page, 'Marked as draft');
  await expectNothingCovered(name);
  await showToast(page, 'Upload in progress', 'Please wait for all photos to finish uploading');
  await expectNothingCovered(`${name}, two toasts`);
  return failures;
};

const visitScreen = async (
  context: BrowserContext,
  { name, path, prepare, further = [] }: Screen,
): Promise<Visit[]> => {
  const page = await context.newPage();
  const allWrites = recordWrites(page);
  await openReadyPage(page, path);
  const visits: Visit[] = [];
  for (const state of [{ name, prepare }, ...further]) {
    await state.prepare?.(page);
    visits.push({
      name: state.name,
      writes: [...allWrites],
      toastFailures: await checkToasts(page, state.name),
    });
  }
  await page.close();
  await context.setOffline(false);
  return visits;
};

/** Names of the screens whose `prepare` function intentionally sends requests that change data. */
const screensThatWrite = new Set([
  'post-ad-errors',
  'post-ad-photos',
  'taken-down-refused',
  'messages-waiting',
  'my-listings-deleted',
  'push-prompt',
  'push-prompt-iphone',
]);

const visitAllScreens = async (browser: Browser): Promise<Visit[]> => {
  const { session, screens } = await prepareScreens(demoServer);
  const visits: Visit[] = [];
  const createPhoneContext = () =>
    browser.newContext({
      baseURL: demoServer.url,
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      isMobile: true,
      bypassCSP: true,
      reducedMotion: 'reduce',
    });
  await visitInGroups(screens, async (group) => {
    // Use one browser context for all screens of a role, because the pages of a context share a
    // cache and load quickly.
    const createSellerContext = async () => {
      const context = await createPhoneContext();
      await context.addInitScript((stored) => localStorage.setItem('quad.session', stored), session);
      return context;
    };
    const contexts = { visitor: await createPhoneContext(), seller: await createSellerContext() };
    for (const screen of group) {
      if (screensThatWrite.has(screen.name)) {
        // Use a separate context for this screen, because it leaves messages waiting in local storage, and
        // the next page of a shared context would send them.
        const context = await createSellerContext();
        visits.push(...(await visitScreen(context, screen)));
        await context.close();
      } else
        visits.push(...(await visitScreen(screen.signedIn ? contexts.seller : contexts.visitor, screen)));
    }
    for (const context of Object.values(contexts)) await context.close();
  });
  return visits;
};

let visits: Promise<Visit[]> | undefined;
/** Visits all screens once for all tests of this file, because the visits take a long time. */
const getVisits = (browser: Browser): Promise<Visit[]> => {
  visits ??= visitAllScreens(browser);
  return visits;
};

test('promise 56: opening any screen, dialog or menu sends no write request, except to mark something as seen', async ({
  browser,
}) => {
  test.setTimeout(400_000);
  for (const { name, writes } of await getVisits(browser))
    if (!screensThatWrite.has(name)) expect(writes, name).toEqual([]);
});

test('promise 57: a toast covers no control and lets no tap through, in any state of any screen', async ({
  browser,
}) => {
  test.setTimeout(400_000);
  for (const { toastFailures } of await getVisits(browser))
    for (const failure of toastFailures) throw failure;
});
