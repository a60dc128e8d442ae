import type { Page } from '@playwright/test';

/** A screen, or one state of a screen, for screenshots and tests of all screens. */
export interface Screen {
  name: string;
  path: string;
  signedIn?: boolean;
  /** The session with which to open the screen. By default, it is the session of the first demo account. */
  session?: string | undefined;
  /** Changes the loaded page until it shows this screen. */
  prepare?: (page: Page) => Promise<unknown>;
  /**
   * More screens on the same page. Each is prepared from the previous one, which saves loading the page
   * again.
   */
  further?: readonly { name: string; prepare: (page: Page) => Promise<unknown> }[];
}

/** Returns a `prepare` function that clicks a button and waits for the dialog that it opens. */
export const createDialogOpener = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name }).first().click();
  await page.getByRole('dialog').waitFor();
};

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
