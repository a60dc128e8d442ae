/**
 * `npm run screenshots`: takes every screen of the demo campus at three widths in both themes, into
 * test-results/screenshots. `--readme` also updates those in docs/screenshots, which the README shows;
 * `--only=home,listing` takes only the named screens.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from '@playwright/test';
import { prepareBrowser } from '../tools/browser.ts';
import { type Quad, startQuad } from './support/quad.ts';
import { prepareScreens } from './support/screens.ts';

const widths = [360, 768, 1280];
const themes = ['light', 'dark'] as const;
const heights: Record<number, number> = { 360: 740, 768: 1024, 1280: 900 };
const root = fileURLToPath(new URL('..', import.meta.url));
const readmePictures = [
  { screen: 'home', width: 1280 },
  { screen: 'category', width: 360 },
  { screen: 'listing', width: 768 },
  { screen: 'messages', width: 768 },
];

const takeAll = async (quad: Quad, browser: Browser, folder: string): Promise<void> => {
  const only = process.argv.find((it) => it.startsWith('--only='))?.slice('--only='.length);
  const { session, screens: all } = await prepareScreens(quad);
  const screens = all.filter(({ name }) => !only || only.split(',').includes(name));
  for (const theme of themes) {
    for (const width of widths) {
      for (const screen of screens) {
        const context = await browser.newContext({
          baseURL: quad.url,
          viewport: { width, height: heights[width] ?? 900 },
          colorScheme: theme,
          reducedMotion: 'reduce',
          hasTouch: width === 360,
        });
        if (screen.signedIn) {
          await context.addInitScript((stored) => localStorage.setItem('quad.session', stored), session);
        }
        const page = await context.newPage();
        await page.goto(screen.path, { waitUntil: 'networkidle' });
        // Scrolls down, because photos below the fold load only when they are near the viewport.
        await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
        await page.waitForLoadState('networkidle');
        await page.evaluate(() => window.scrollTo(0, 0));
        await screen.prepare?.(page);
        await page.waitForFunction(() =>
          [...document.images].every(({ complete, loading }) => complete || loading === 'lazy'),
        );
        const fullPage = !screen.prepare;
        await page.screenshot({ path: join(folder, `${screen.name}-${width}-${theme}.png`), fullPage });
        const shown = readmePictures.some((it) => it.screen === screen.name && it.width === width);
        if (shown && theme === 'light' && process.argv.includes('--readme')) {
          const path = join(root, 'docs', 'screenshots', `${screen.name}-${width}.jpg`);
          await page.screenshot({ path, type: 'jpeg', quality: 80 });
        }
        await context.close();
      }
    }
  }
};

const folder = join(root, 'test-results', 'screenshots');
await mkdir(folder, { recursive: true });
const quad = await startQuad({ DEMO: 'on' });
const browser = await chromium.launch(await prepareBrowser());
try {
  await takeAll(quad, browser, folder);
  process.stdout.write(`The pictures are in ${folder}\n`);
} finally {
  await browser.close();
  await quad.stop();
}
