import { expect, test } from '@playwright/test';
import { startDemoServer } from './support/demo.ts';
import { visitInGroups } from './support/lanes.ts';
import type { Quad } from './support/quad.ts';
import { prepareScreens } from './support/screens.ts';

let quad: Quad;
test.beforeAll(async () => {
  quad = await startDemoServer();
});
test.afterAll(() => quad.stop());

/** Screens whose preparation sends requests that write, on purpose. */
const writingScreens = new Set([
  'post-ad-errors',
  'post-ad-photos',
  'taken-down-refused',
  'messages-waiting',
]);

test('promise 56: opening any screen, dialog or menu sends no writing request, except to mark messages as read', async ({
  browser,
}) => {
  test.setTimeout(300_000);
  const { session, screens } = await prepareScreens(quad);
  const quiet = screens.filter(({ name }) => !writingScreens.has(name));
  await visitInGroups(quiet, async (lane) => {
    for (const { name, path, signedIn, prepare } of lane) {
      const context = await browser.newContext({ baseURL: quad.url, viewport: { width: 360, height: 740 } });
      if (signedIn)
        await context.addInitScript((stored) => localStorage.setItem('quad.session', stored), session);
      const page = await context.newPage();
      const writes: string[] = [];
      page.on('request', (request) => {
        const { pathname } = new URL(request.url());
        if (request.method() !== 'GET' && !/^\/rest\/v1\/conversations\/[^/]+\/read$/.test(pathname))
          writes.push(`${request.method()} ${pathname}`);
      });
      await page.goto(path, { waitUntil: 'networkidle' });
      await prepare?.(page);
      expect(writes, name).toEqual([]);
      await context.close();
    }
  });
});
