import type { Locator, Page } from '@playwright/test';
import { reloadUntilReady } from './hydration.ts';
import { waitForPageHistoryEntry } from './overlays.ts';
import { intercept } from './test.ts';

/** A state of a screen, for screenshots and for the tests of all screens. */
export interface ScreenState {
  name: string;
  /** Changes the loaded page until it shows this state. */
  prepare?: ((page: Page) => Promise<unknown>) | undefined;
  /** The only width (px) at which this state exists. */
  onlyAt?: 360 | 1280;
  /** Whether `prepare` sends requests that change data. */
  writes?: true;
}

export interface Screen extends ScreenState {
  path: string;
  signedIn?: boolean;
  /** The session with which to open the screen. By default, it is the session of the first demo account. */
  session?: string | undefined;
  /**
   * More states on the same page. Each is prepared from the previous one, which saves loading the page
   * again.
   */
  further?: readonly ScreenState[];
  /** Whether the screen needs a browser of its own, because it depends on what earlier screens stored or leaves data. */
  ownContext?: true;
  /** Whether the page works without the application, so that it shows no toasts. */
  isPlain?: true;
  /** Whether links fill the screen of a phone, so that two toasts find no room. */
  hasDenseRows?: true;
  /** Whether only screenshots show this screen, because component tests check its state. */
  screenshotOnly?: true;
}

/** Loads the page again as a later session of the browser does, whose session storage is empty. */
export const startLaterSession = async (page: Page): Promise<void> => {
  await page.evaluate(() => sessionStorage.removeItem('quad-visited'));
  await reloadUntilReady(page);
};

/** Returns a `prepare` function that clicks a button and waits for the dialog that it opens. */
export const createDialogOpener = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name }).first().click();
  await page.getByRole('dialog').waitFor();
};

export const closeDialog = async (page: Page): Promise<void> => {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await waitForPageHistoryEntry(page);
};

/** Returns a `prepare` function that closes the open dialog and opens another one. */
export const createDialogSwitcher = (name: string | RegExp) => async (page: Page) => {
  await closeDialog(page);
  await createDialogOpener(name)(page);
};

export const createTabOpener = (name: RegExp) => (page: Page) => page.getByRole('tab', { name }).click();

/**
 * Opens the menu of the first listing's actions. Does nothing in wide windows, which show the actions as
 * buttons instead.
 */
export const openListingMenu = async (page: Page): Promise<void> => {
  // The list has loaded when its menus are visible or, in wide windows, when its action buttons are visible.
  const menu = page.getByRole('button', { name: /^More actions/ });
  const actions = page.getByRole('button', { name: /^Mark as/ });
  await menu.or(actions).filter({ visible: true }).first().waitFor();
  if (await menu.first().isVisible()) await menu.first().click();
};

export const getConversationLinks = (page: Page): Locator =>
  page.getByRole('region', { name: 'Conversations' }).locator('a:not([data-next-handover] a)');

export const openFirstThread = async (page: Page): Promise<void> => {
  await getConversationLinks(page).first().click();
  await page.getByRole('region', { name: /^Messages with/ }).waitFor();
};

/** Reloads the page and blocks its API calls, so that the page keeps showing its loading skeleton. */
export const showSkeleton = async (page: Page): Promise<void> => {
  await intercept(page, /\/rest\/v1\/(?!moderation\/access)/, () => new Promise(() => {}));
  await page.reload({ waitUntil: 'domcontentloaded' });
  await page
    .getByRole('main')
    .getByText(/^Loading/)
    .first()
    .waitFor({ state: 'attached' });
};

/** Reloads the page while the API fails, so that the page shows its error and a retry button. */
export const showLoadError = async (page: Page): Promise<void> => {
  const failingCalls = /\/rest\/v1\/(me\/listings|conversations|moderation\/(?!access))/;
  await intercept(page, failingCalls, (route) => route.fulfill({ status: 503, json: {} }));
  await page.reload({ waitUntil: 'domcontentloaded' });
  await page.getByRole('main').getByRole('button', { name: 'Try again' }).first().waitFor();
};

/** Waits for the offline bar, which is loaded after the rest of the page, and takes the page offline. */
export const goOffline = async (page: Page): Promise<void> => {
  await page.locator('body > div > [role=status]:only-child').waitFor({ state: 'attached' });
  await page.context().setOffline(true);
  await page.getByText('You are offline.').waitFor();
};
