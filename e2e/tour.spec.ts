import { type BrowserContext, expect } from '@playwright/test';
import { screenTexts } from '#contract/specification-texts.ts';
import { listMissingTexts } from '#web/testing/collect-texts.ts';
import { test as base } from './support/fixtures.ts';
import type { Screen } from './support/screen.ts';
import { prepareScreens, screenAreas } from './support/screen-catalog.ts';
import { checkScreen, type TourFindings } from './support/screen-checks.ts';
import { listWrittenTexts } from './support/text-direction.ts';

interface Tour {
  screens: Awaited<ReturnType<typeof prepareScreens>>['screens'];
  written: ReadonlySet<string>;
  /** Returns the browser context in which to open a screen. */
  getContext: (screen: Screen) => Promise<BrowserContext>;
}

/** Provides all screens of the demo campus, and one browser context per role, whose pages share a cache. */
const test = base.extend<object, { tour: Tour }>({
  tour: [
    async ({ browser, demo }, use) => {
      const { session: defaultSession, screens } = await prepareScreens(demo);
      const contexts = new Map<string, BrowserContext>();
      const openContext = async (session: string): Promise<BrowserContext> => {
        const context = await browser.newContext({ baseURL: demo.url, reducedMotion: 'reduce' });
        if (session)
          await context.addInitScript((stored) => localStorage.setItem('quad.session', stored), session);
        return context;
      };
      const getContext = async ({ signedIn, session = defaultSession, ownContext }: Screen) => {
        const role = signedIn ? session : '';
        if (ownContext) return openContext(role);
        const context = contexts.get(role) ?? (await openContext(role));
        contexts.set(role, context);
        return context;
      };
      await use({ screens, written: await listWrittenTexts(demo), getContext });
      for (const context of contexts.values()) await context.close();
    },
    { scope: 'worker', timeout: 240_000 },
  ],
});

// An area has up to thirty states of screens, each checked at three widths, so the limit is above that of one journey.
test.describe.configure({ mode: 'parallel', timeout: 400_000 });

const textsByArea: Partial<Record<string, readonly string[]>> = screenTexts;

for (const area of screenAreas) {
  test(`promise 56: opening the screens of ${area} writes nothing, and they are accessible, fit at each width and read in order`, async ({
    tour,
  }) => {
    const findings: TourFindings = { problems: [], texts: new Set(), written: tour.written };
    for (const screen of tour.screens[area]) {
      if (screen.screenshotOnly) continue;
      const context = await tour.getContext(screen);
      const page = await context.newPage();
      // One broken screen does not hide the problems of the others.
      await checkScreen(page, screen, findings).catch((error: unknown) =>
        findings.problems.push({ name: screen.name, error: `${error}` }),
      );
      await page.close();
      if (screen.ownContext) await context.close();
    }
    expect(findings.problems).toEqual([]);
    expect(listMissingTexts(textsByArea[area] ?? [], findings.texts)).toEqual([]);
  });
}
