import type { Page, Request } from '@playwright/test';
import { collectTexts } from '#web/testing/collect-texts.ts';
import { listViolations, listViolationsInDarkTheme } from './axe.ts';
import { getCspViolations, recordCspViolations } from './csp-violations.ts';
import { openReadyPage, waitUntilReady } from './hydration.ts';
import { listUnreachableControls } from './keys.ts';
import { listCutTexts } from './large-text.ts';
import type { Screen, ScreenState } from './screen.ts';
import { listUndirectedFields, listUndirectedTexts } from './text-direction.ts';
import { closeToasts, expectToastCoversNothing, showToast } from './toasts.ts';

const widths = [1280, 768, 360] as const;
type Width = (typeof widths)[number];
const heightByWidth = { 1280: 900, 768: 1024, 360: 740 };

type Resize = (width: Width) => Promise<void>;

/**
 * Returns a function that resizes the page and waits until it is ready at that width, because some screens render and
 * load other parts there. At the width of a phone, the page also sees a touch screen.
 */
const createResize = async (page: Page): Promise<Resize> => {
  const session = await page.context().newCDPSession(page);
  return async (width) => {
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: width === 360 });
    await page.setViewportSize({ width, height: heightByWidth[width] });
    await waitUntilReady(page);
  };
};

/**
 * Returns whether a request only marks something as seen by its sender, or asks for a challenge for the passkeys that the
 * browser suggests, or counts who looks for a listing. Other people notice none of this.
 */
const isUnnoticed = (request: Request): boolean => {
  const { pathname } = new URL(request.url());
  if (pathname === '/auth/v1/passkeys/authentication/options' || pathname === '/rest/v1/wanted/matches')
    return true;
  if (/^\/rest\/v1\/conversations\/[^/]+\/read$/.test(pathname)) return true;
  return (
    /^\/rest\/v1\/me\/saved-searches\/[^/]+$/.test(pathname) && request.postData() === '{"visited":true}'
  );
};

/** Records the requests of a page that change data, except those that only mark something as seen. */
const recordWrites = (page: Page): string[] => {
  const writes: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET' && !isUnnoticed(request))
      writes.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  return writes;
};

/** Returns by how many pixels the page is wider than the window. */
const getOverflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

const overlays = '[role=dialog], [role=menu]';

/** Returns a selector of the open dialog or menu, if any. The page below it is a state of its own. */
const findOverlay = async (page: Page): Promise<string | undefined> =>
  (await page.locator(overlays).count()) > 0 ? overlays : undefined;

/** What the tour found on the screens of an area. */
export interface TourFindings {
  problems: unknown[];
  /** All texts that the screens showed. */
  texts: Set<string>;
  /** All texts that people wrote. */
  written: ReadonlySet<string>;
}

/** Checks one state of a screen at each width at which it exists. */
const checkState = async (
  page: Page,
  { name, onlyAt }: ScreenState,
  { problems, texts, written }: TourFindings,
  {
    resize,
    isFirst,
    hasToasts,
    hasDenseRows,
  }: { resize: Resize; isFirst: boolean; hasToasts: boolean; hasDenseRows: boolean },
): Promise<void> => {
  for (const width of widths.filter((it) => it === (onlyAt ?? it))) {
    await resize(width);
    const overflow = await getOverflow(page);
    if (overflow > 0) problems.push({ name, width, overflow });
    for (const text of await page.evaluate(collectTexts)) texts.add(text);
    const undirected = [...(await listUndirectedTexts(page, written)), ...(await listUndirectedFields(page))];
    if (undirected.length > 0) problems.push({ name, width, undirected });
    // The layout at 768 px has the same parts as that at 1280 px.
    if (width === 768) continue;
    // Screens of an area have the same frame at each width, so one of them is enough to check it in both themes.
    const isThorough = isFirst || onlyAt !== undefined;
    const within = await findOverlay(page);
    const light = isThorough || width === 1280 ? await listViolations(page, within) : [];
    const dark = isThorough || width === 360 ? await listViolationsInDarkTheme(page, within) : [];
    if (light.length + dark.length > 0) problems.push({ name, width, light, dark });
    if (width === (onlyAt ?? 1280)) {
      const controls = await listUnreachableControls(page);
      if (controls.length > 0) problems.push({ name, width, controls });
    }
    if (width === 360) {
      const cut = await listCutTexts(page);
      if (cut.length > 0) problems.push({ name, cut });
      await resize(width);
    }
    if (width === 360 && hasToasts) await checkToasts(page, name, { problems, hasDenseRows });
  }
};

const checkToasts = async (
  page: Page,
  name: string,
  { problems, hasDenseRows }: { problems: unknown[]; hasDenseRows: boolean },
): Promise<void> => {
  const check = (where: string): Promise<unknown> =>
    expectToastCoversNothing(page, where).catch((error: unknown) => problems.push(`${error}`));
  await page.evaluate(() => window.scrollTo(0, 0));
  // On a phone, listings, tables of boxes and the form for a listing leave no room for two toasts.
  const controls = page.getByRole('main').locator('li :is(h2, h3) a, table input, [data-task-screen]');
  const isDense = hasDenseRows || (await controls.count()) > 0;
  // One with Undo stays.
  const hasToast = (await page.locator('[data-sonner-toast]').filter({ hasText: 'Undo' }).count()) > 0;
  if (!(isDense && hasToast)) await showToast(page, 'Marked as draft');
  await check(name);
  if (isDense) return;
  await showToast(page, 'Upload in progress', 'Please wait for all photos to finish uploading');
  await check(`${name}, two toasts`);
};

/** Opens a screen in a new page, checks each of its states, and closes it. */
export const checkScreen = async (page: Page, screen: Screen, findings: TourFindings): Promise<void> => {
  await recordCspViolations(page);
  const writes = recordWrites(page);
  const resize = await createResize(page);
  await resize(screen.onlyAt ?? 1280);
  await openReadyPage(page, screen.path);
  const isFirst = findings.texts.size === 0;
  // On a phone, the lists of the console leave no room for two toasts.
  const hasToasts = !screen.isPlain && !screen.path.startsWith('/moderation');
  const states: ScreenState[] = [screen, ...(screen.further ?? [])];
  for (const state of states) {
    await resize(state.onlyAt ?? 1280);
    await state.prepare?.(page);
    if (writes.length > 0 && !state.writes) findings.problems.push({ name: state.name, writes: [...writes] });
    await checkState(page, state, findings, {
      resize,
      isFirst: isFirst && state === screen,
      hasToasts,
      hasDenseRows: screen.hasDenseRows ?? false,
    });
    const violations = await getCspViolations(page);
    if (violations.length > 0) findings.problems.push({ name: state.name, csp: violations });
    if (state !== states.at(-1)) await closeToasts(page);
  }
};
