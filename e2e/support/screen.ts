import type { Page } from '@playwright/test';

/** A screen, or one state of a screen, for screenshots and tests of all screens. */
export interface Screen {
  name: string;
  path: string;
  signedIn?: boolean;
  /** The session of the person who is signed in, if it is not the first demo account. */
  session?: string | undefined;
  /** Brings the loaded page into the state that this screen shows. */
  prepare?: (page: Page) => Promise<unknown>;
  /** Further states of the same page, each reached from the previous one, which saves loading the page again. */
  further?: readonly { name: string; prepare: (page: Page) => Promise<unknown> }[];
}

/** Returns a `prepare` function that clicks a button and waits for the dialog that it opens. */
export const createDialogOpener = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name }).first().click();
  await page.getByRole('dialog').waitFor();
};

/**
 * Opens the actions menu of the first listing; does nothing in wide windows, which have no such
 * menu.
 */
export const openListingMenu = async (page: Page): Promise<void> => {
  // The list is loaded when it shows either the menu or, in wide windows, its actions as buttons.
  const menu = page.getByRole('button', { name: /^More actions/ });
  const actions = page.getByRole('button', { name: /^Mark as/ });
  await menu.or(actions).filter({ visible: true }).first().waitFor();
  if (await menu.first().isVisible()) await menu.first().click();
};
