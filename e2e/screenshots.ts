/**
 * `npm run screenshots`: saves a screenshot of every screen of the demo campus, at three widths in both
 * themes, in test-results/screenshots. `--readme` also updates the screenshots of the README in
 * docs/screenshots. `--only=home,deal*` takes only the named screens; a name that ends with `*` means all
 * screens that begin so. `--campus=demo/campuses/germany.json` shows another campus, in a folder of its own.
 * `--widths=360,1280` and `--themes=light` take fewer pictures.
 */
import { mkdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from '@playwright/test';
import { campusSettings } from '#server/testing/campus-settings.ts';
import { prepareBrowser } from '../tools/browser.ts';
import { listDealConversationScreens } from './support/deal-screens.ts';
import { openReadyPage, waitUntilReady } from './support/hydration.ts';
import { type QuadServer, startQuad } from './support/quad-server.ts';
import { prepareScreens } from './support/screen-catalog.ts';

/** Returns the value of an option such as `--only=home`, or undefined without it. */
const readOption = (name: string): string | undefined =>
  process.argv.find((it) => it.startsWith(`--${name}=`))?.slice(name.length + 3);

const viewportWidths = readOption('widths')?.split(',').map(Number) ?? [360, 768, 1280];
const themes = (['light', 'dark'] as const).filter(
  (theme) => readOption('themes')?.split(',').includes(theme) ?? true,
);
const viewportHeightByWidth: Record<number, number> = { 360: 740, 768: 1024, 1280: 900 };
const root = fileURLToPath(new URL('..', import.meta.url));
const readmePictures = [
  { screen: 'home', width: 1280 },
  { screen: 'home-returning', width: 360 },
  { screen: 'category', width: 360 },
  { screen: 'listing', width: 360 },
  { screen: 'deal', width: 360 },
  { screen: 'console-case-message', width: 360 },
];

const isWanted = (name: string): boolean => {
  const only = readOption('only');
  if (!only) return true;
  return only.split(',').some((it) => (it.endsWith('*') ? name.startsWith(it.slice(0, -1)) : name === it));
};

/** Waits until the visible photos are loaded, then saves screenshots of the page. */
const savePage = async (
  page: Page,
  folder: string,
  shot: { name: string; width: number; theme: string; fullPage: boolean },
): Promise<void> => {
  const { name, width, theme, fullPage } = shot;
  if (!isWanted(name)) return;
  await page.waitForFunction(() =>
    [...document.images].every(({ complete, loading }) => complete || loading === 'lazy'),
  );
  await page.screenshot({ path: join(folder, `${name}-${width}-${theme}.png`), fullPage });
  const shown = readmePictures.some((it) => it.screen === name && it.width === width);
  if (shown && theme === 'light' && process.argv.includes('--readme')) {
    const path = join(root, 'docs', 'screenshots', `${name}-${width}.jpg`);
    await page.screenshot({ path, type: 'jpeg', quality: 80 });
  }
};

const campusFile = readOption('campus');
const campus = campusFile ? JSON.parse(await readFile(campusFile, 'utf8')) : {};
/** A device on the campus: the times of messages and the browser's own date fields follow it. */
const device = { locale: campus.locale, timezoneId: campus.timezone };

const takeScreenshots = async (quad: QuadServer, browser: Browser, folder: string): Promise<void> => {
  const { session, screens: screensByArea } = await prepareScreens(quad);
  const conversations = await listDealConversationScreens(quad, session);
  const screens = [...Object.values(screensByArea).flat(), ...conversations].filter(
    ({ name, further = [] }) => [name, ...further.map((state) => state.name)].some(isWanted),
  );
  for (const theme of themes) {
    for (const width of viewportWidths) {
      for (const screen of screens) {
        const context = await browser.newContext({
          baseURL: quad.url,
          viewport: { width, height: viewportHeightByWidth[width] ?? 900 },
          colorScheme: theme,
          reducedMotion: 'reduce',
          hasTouch: width === 360,
          isMobile: width === 360,
          ...device,
        });
        if (screen.signedIn) {
          const own = screen.session ?? session;
          await context.addInitScript((stored) => localStorage.setItem('quad.session', stored), own);
        }
        const page = await context.newPage();
        await openReadyPage(page, screen.path);
        // Scrolls down, because photos below the fold load only when they are near the viewport.
        await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
        await waitUntilReady(page);
        await page.evaluate(() => window.scrollTo(0, 0));
        await screen.prepare?.(page);
        await savePage(page, folder, { name: screen.name, width, theme, fullPage: !screen.prepare });
        for (const { name, prepare, onlyAt = width } of screen.further ?? []) {
          if (onlyAt !== width) continue;
          await prepare?.(page);
          await savePage(page, folder, { name, width, theme, fullPage: false });
        }
        await context.close();
      }
    }
  }
};

const screenshotsFolder = join(
  root,
  'test-results',
  'screenshots',
  campusFile ? basename(campusFile, '.json') : '',
);
await mkdir(screenshotsFolder, { recursive: true });
// The settings of the campus would win over its file; an empty one counts as unset.
const withoutCampus = Object.fromEntries(Object.keys(campusSettings).map((name) => [name, '']));
const quadServer = await startQuad({
  QUAD_DEMO: 'on',
  ...(campusFile && { ...withoutCampus, QUAD_CAMPUS: campusFile }),
});
const browser = await chromium.launch(await prepareBrowser());
try {
  await takeScreenshots(quadServer, browser, screenshotsFolder);
  process.stdout.write(`The pictures are in ${screenshotsFolder}\n`);
} finally {
  await browser.close();
  await quadServer.stop();
}
