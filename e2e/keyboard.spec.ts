import { expect, type Page } from '@playwright/test';
import {
  expectAnnouncedToast,
  expectFieldError,
  expectFocusTrap,
  expectHeadingFocused,
  expectVisibleFocus,
  focusAndPress,
  focusByTab,
  moveItemToEnd,
  typeIntoField,
  waitForTimers,
} from './support/keys.ts';
import { takeVerificationCode } from './support/mail-server.ts';
import { createPhotoFile } from './support/photos.ts';
import { type QuadServer, startQuad } from './support/quad-server.ts';
import {
  openConversation,
  openSignedInBrowser,
  postConversationMessage,
  postListing,
  signUp,
  uploadPhoto,
} from './support/students.ts';
import { test } from './support/test.ts';

// These tests never use the mouse, and move the focus only by keys.

let quadServer: QuadServer;
test.beforeAll(async () => {
  quadServer = await startQuad();
  const seller = await signUp(quadServer, 'Sal Seller', 'sal@usc.edu');
  const photos = await Promise.all([uploadPhoto(quadServer, seller), uploadPhoto(quadServer, seller)]);
  await postListing(quadServer, seller, 'Season ticket, north stand', { category: 'game-day' });
  await postListing(quadServer, seller, 'City bicycle by the day', { category: 'rentals', photos });
  await postListing(quadServer, seller, 'Desk lamp with a green shade');
});
test.afterAll(() => quadServer.stop());

/** Opens a path as if typed into the address bar, and waits until the application has started. */
const openPath = async (page: Page, path: string): Promise<void> => {
  await page.goto(path);
  await expect(page.getByRole('banner').getByText(/Login|Post Item/)).toBeAttached();
};
const getHeader = (page: Page) => page.getByRole('banner');
const getMain = (page: Page) => page.getByRole('main');
const getMainButton = (page: Page, name: string | RegExp) =>
  getMain(page).getByRole('button', { name, exact: true });
const getTextbox = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const getPageHeading = (page: Page) => page.getByRole('heading', { level: 1 });

/** Opens the account menu and chooses an item by pressing the down arrow until it has the focus. */
const chooseInMenu = async (
  page: Page,
  name: string,
  tab: 'Tab' | 'Shift+Tab' = 'Shift+Tab',
): Promise<void> => {
  await focusAndPress(getHeader(page).getByRole('button', { name: /^Account menu/ }), 'Enter', tab);
  const line = page.getByRole('menuitem', { name });
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  for (let step = 0; step < 4; step += 1) {
    if (await line.evaluate((element) => element === document.activeElement)) break;
    const before = await page.evaluateHandle(() => document.activeElement);
    await page.keyboard.press('ArrowDown');
    // The menu moves the focus asynchronously, shortly after the key press.
    await page.waitForFunction((earlier) => document.activeElement !== earlier, before);
    await expectVisibleFocus(page);
  }
  await expect(line).toBeFocused();
  await page.keyboard.press('Enter');
};

test('a visitor browses, filters, looks at photos, and is asked to sign in, by the keyboard alone', async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: quadServer.url, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await openPath(page, '/');

  await test.step('the skip link comes first and leads past header and navigation', async () => {
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to main content' });
    await expect(skip).toBeFocused();
    await expectVisibleFocus(page);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Start Trading' })).toBeFocused();
  });

  await test.step('a category is narrowed and put back', async () => {
    await page.keyboard.press('Enter');
    await expectHeadingFocused(page, /Game Day Marketplace/);
    const kind = getMain(page).getByLabel('Category', { exact: true });
    await focusByTab(kind);
    await page.keyboard.press('ArrowDown');
    await expect(page).toHaveURL(/\?kind=tickets$/);
    await expect(kind).toBeFocused();
    await focusByTab(getMain(page).getByLabel('Verified Sellers Only'));
    await page.keyboard.press('Space');
    await expect(page).toHaveURL(/verified=true/);
    await focusAndPress(getMainButton(page, 'Reset Filters'));
    await expect(page).toHaveURL(/\/category\/game-day$/);
    await expectVisibleFocus(page);
  });

  await test.step('a heart is pressed without opening its card', async () => {
    const heart = getMain(page)
      .getByRole('button', { name: /^Favorite/ })
      .first();
    await focusAndPress(heart, 'Space');
    await expect(heart).toHaveAttribute('aria-pressed', 'true');
    await expect(page).toHaveURL(/\/category\/game-day$/);
  });

  await test.step('the navigation leads to the rentals, and a card to its listing', async () => {
    await focusAndPress(
      page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Rentals' }),
      'Enter',
      'Shift+Tab',
    );
    await expectHeadingFocused(page, /Rent What You Need/);
    const card = getMain(page).getByRole('heading', { level: 3 }).getByRole('link').first();
    const title = (await card.textContent()) ?? '';
    await focusAndPress(card);
    await expectHeadingFocused(page, title);
  });

  await test.step('the gallery opens on the whole screen, turns its pages, and gives the focus back', async () => {
    const look = getMainButton(page, 'View photos full screen');
    await focusAndPress(look, 'Enter', 'Shift+Tab');
    const viewer = page.getByRole('dialog', { name: /^Photos of/ });
    await expect(viewer.getByText(/^Photo 1 of/)).toBeVisible();
    await page.keyboard.press('ArrowRight');
    await expect(viewer.getByText('Photo 2 of 2')).toBeVisible();
    await page.keyboard.press('ArrowLeft');
    await expect(viewer.getByText('Photo 1 of 2')).toBeVisible();
    await expectFocusTrap(viewer, look);
  });

  await test.step('Message Seller asks to sign in, and gives the focus back', async () => {
    const message = getMainButton(page, 'Message Seller');
    await focusAndPress(message);
    const dialog = page.getByRole('dialog', { name: 'Sign in Required' });
    await expectFocusTrap(dialog, message);
    await page.keyboard.press('Enter');
    await focusAndPress(dialog.getByRole('link', { name: 'Log In' }));
    await expectHeadingFocused(page, /Log In|Welcome/);
  });

  await test.step('what is missing is tied to its field and has the focus; what fails is announced', async () => {
    await focusAndPress(getMainButton(page, 'Log In'));
    await expect(getTextbox(page, 'Email')).toBeFocused();
    await expectFieldError(getTextbox(page, 'Email'), 'Please enter a valid email address.');
    await expectFieldError(getTextbox(page, 'Password'), 'Please enter your password');
    await page.keyboard.type('nobody@usc.edu');
    await typeIntoField(getTextbox(page, 'Password'), 'not-a-password-1');
    await page.keyboard.press('Enter');
    await expectAnnouncedToast(page, 'No account found. Please sign up.');
    await expectVisibleFocus(page);
  });
  await context.close();
});

test('the search box works with arrow keys, Enter and Escape, and the heading of the opened page gets the focus', async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: quadServer.url });
  const page = await context.newPage();
  await openPath(page, '/about');
  const box = getHeader(page).getByRole('combobox', { name: 'Search' });
  const options = getHeader(page).getByRole('option');
  await focusByTab(box);
  await page.keyboard.type('desk');
  await expect(options.first()).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(options.first()).toHaveAttribute('aria-selected', 'true');
  const id = await options.first().getAttribute('id');
  await expect(box).toHaveAttribute('aria-activedescendant', id ?? '');
  await page.keyboard.press('ArrowUp');
  await expect(box).not.toHaveAttribute('aria-activedescendant', /./);
  await page.keyboard.press('Escape');
  await expect(options).toHaveCount(0);
  await expect(box).toHaveValue('desk');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/search\?q=desk$/);
  await expectHeadingFocused(page, 'Search Results');

  await focusByTab(box, 'Shift+Tab');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('bicycle');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/search\?q=bicycle$/);
  await expectHeadingFocused(page, 'Search Results');

  await focusByTab(box, 'Shift+Tab');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('desk');
  const listing = options.filter({ hasNotText: 'searched before' }).first();
  const title = (await listing.textContent()) ?? '';
  for (let step = 0; step < 8 && (await listing.getAttribute('aria-selected')) !== 'true'; step += 1) {
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
  await expectHeadingFocused(page, title);
  await context.close();
});

test('a newcomer signs up, posts with photos, manages listings, profile and settings, and logs out, by the keyboard alone', async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: quadServer.url, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const email = 'kay@usc.edu';
  const title = 'Brass desk lamp for late nights';

  await test.step('sign-up: errors tied to their fields, the code, the set-up', async () => {
    await openPath(page, '/');
    await focusAndPress(getHeader(page).getByRole('link', { name: 'Sign Up' }));
    await expectHeadingFocused(page, /./);
    await focusAndPress(getMainButton(page, 'Create Account'));
    await expect(getTextbox(page, 'Full name')).toBeFocused();
    await expectFieldError(getTextbox(page, 'Full name'), 'Please enter your full name');
    await expectFieldError(
      getMain(page).getByRole('checkbox'),
      'Please agree to the Terms and Privacy Policy',
    );
    await waitForTimers(page);
    await page.keyboard.type('Kay Keys');
    await typeIntoField(getTextbox(page, 'Email'), email);
    await typeIntoField(getTextbox(page, 'Password'), 'cardinal-and-gold-1');
    await typeIntoField(getTextbox(page, 'Confirm password'), 'cardinal-and-gold-1');
    await focusAndPress(getMain(page).getByRole('checkbox'), 'Space');
    await focusAndPress(getMainButton(page, 'Create Account'));
    await expectAnnouncedToast(page, 'Verification code sent to your email!');
    await expect(page.getByLabel('Verification code')).toBeFocused();
    await expectVisibleFocus(page);

    await focusAndPress(getMainButton(page, 'Back to Sign Up'));
    await expectHeadingFocused(page, /./);
    await expect(getTextbox(page, 'Full name')).toHaveValue('Kay Keys');
    await focusAndPress(getMainButton(page, 'Create Account'));
    await expect(page.getByLabel('Verification code')).toBeFocused();
    await page.keyboard.type(await takeVerificationCode(quadServer.mail, email));
    await expect(page).toHaveURL(/\/profile-setup/);
    await expectHeadingFocused(page, /./);
    await focusByTab(getMain(page).getByRole('radio').first());
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await expect(getMain(page).getByRole('radio', { name: 'Alumni' })).toBeChecked();
    await page.keyboard.press('ArrowUp');
    await focusAndPress(getMainButton(page, 'Complete Setup'));
    await expectHeadingFocused(page, 'Kay Keys');
  });

  await test.step('an ad: photos chosen, ordered, removed; errors; published', async () => {
    await focusAndPress(getHeader(page).getByRole('link', { name: 'Post Item' }), 'Enter', 'Shift+Tab');
    await expectHeadingFocused(page, 'Post Your Ad');
    // Add a listener before the key press that opens the file chooser, because Playwright intercepts file
    // choosers only while a listener exists.
    page.on('filechooser', () => {});
    const choose = getMainButton(page, 'Choose photos').filter({ has: page.locator('svg') });
    await focusByTab(choose);
    const chooser = page.waitForEvent('filechooser');
    await page.keyboard.press('Enter');
    await (await chooser).setFiles([
      await createPhotoFile('red.jpg', { r: 220, g: 30, b: 30 }),
      await createPhotoFile('green.jpg', { r: 30, g: 200, b: 30 }),
      await createPhotoFile('blue.jpg', { r: 30, g: 30, b: 220 }),
    ]);
    const previews = page.getByRole('img', { name: /^Preview of photo/ });
    await expect(previews).toHaveCount(3);
    await expect(page.getByRole('progressbar')).toHaveCount(0, { timeout: 30_000 });
    const order = () => previews.evaluateAll((all) => all.map((image) => (image as HTMLImageElement).src));
    const [red, green, blue] = await order();

    await focusByTab(getMainButton(page, 'Move photo 2'), 'Shift+Tab');
    await page.keyboard.press('Space');
    await expect(page.getByText('photo 2 is over place 2 of 3.')).toBeAttached();
    await moveItemToEnd(page, 'ArrowLeft', page.getByText('photo 2 is over place 1 of 3.'));
    await page.keyboard.press('Space');
    await expect.poll(order).toEqual([green, red, blue]);
    await expectVisibleFocus(page);

    await focusAndPress(getMainButton(page, 'Make photo 3 the cover'));
    await expect.poll(order).toEqual([blue, green, red]);
    await expectVisibleFocus(page);
    await focusAndPress(getMainButton(page, 'Remove photo 3'));
    await expect.poll(order).toEqual([blue, green]);
    await expectVisibleFocus(page);

    await typeIntoField(getTextbox(page, 'Title'), 'Lamp');
    await focusByTab(page.getByLabel('Category'));
    await page.keyboard.type('Furn');
    await expect(page.getByLabel('Category')).toHaveValue('furniture');
    await focusByTab(page.getByRole('radio', { name: 'New', exact: true }));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('radio', { name: 'Good' })).toBeChecked();
    await typeIntoField(page.getByRole('textbox', { name: 'Price' }), '12.50');
    await typeIntoField(
      getTextbox(page, 'Description'),
      'A warm brass lamp from my room, bulb included. Pick it up at Parkside this week.',
    );
    await typeIntoField(getTextbox(page, 'Location'), 'Parkside');
    await typeIntoField(getTextbox(page, 'Contact email'), email);
    await focusAndPress(getMainButton(page, 'Post Ad'));
    await expect(page.getByRole('status').getByText('Please fix the errors before submitting')).toBeVisible();
    await expect(getTextbox(page, 'Title')).toBeFocused();
    await expectFieldError(getTextbox(page, 'Title'), 'Title must be at least 10 characters');
    await waitForTimers(page);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(title);
    await expect(getTextbox(page, 'Title')).not.toHaveAttribute('aria-invalid', 'true');
    await focusAndPress(getMainButton(page, 'Post Ad'));
    await expectAnnouncedToast(page, 'Your listing is published.');
    await expect(page.getByRole('heading', { name: 'Listed' })).toBeFocused();
    await expect(page).toHaveURL(/\/listing\/brass-desk-lamp/);
    await expect(page.getByRole('dialog', { name: 'Listed' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expectHeadingFocused(page, title);
  });

  await test.step('my listings: to the drafts and back, deleted, restored and deleted again', async () => {
    await chooseInMenu(page, 'My Listings');
    await expectHeadingFocused(page, 'My Listings');
    await focusAndPress(getMainButton(page, `Mark as Draft ${title}`));
    await expectAnnouncedToast(page, 'Marked as draft');
    await expect(page.getByRole('tab', { name: /^Active/ })).toBeFocused();
    await expectVisibleFocus(page);
    await page.keyboard.press('End');
    await expect(page.getByRole('tab', { name: 'Wanted' })).toBeFocused();
    await page.keyboard.press('ArrowLeft');
    await expect(page.getByRole('tab', { name: /^Drafts/ })).toHaveAttribute('aria-selected', 'true');
    await focusAndPress(getMainButton(page, `Publish Item ${title}`));
    await expectAnnouncedToast(page, 'Marked as active');
    await expect(page.getByRole('tab', { name: /^Drafts/ })).toBeFocused();
    await page.keyboard.press('Home');
    const remove = getMainButton(page, `Delete ${title}`);
    // On a fast machine the message "Marked as draft" with its own Undo is still there.
    const undo = page
      .getByRole('listitem')
      .filter({ hasText: 'Listing deleted' })
      .getByRole('button', { name: 'Undo' });
    await focusAndPress(remove);
    await expectAnnouncedToast(page, 'Listing deleted');
    await expect(undo).toBeFocused();
    await expectVisibleFocus(page);
    await page.keyboard.press('Enter');
    await expectAnnouncedToast(page, 'Listing restored');
    await expect(page.getByRole('tab', { name: /^Active/ })).toBeFocused();
    await focusAndPress(remove);
    await expect(undo).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('tab', { name: /^Active/ })).toBeFocused();
    await expect(page.getByText('No active listings')).toBeVisible();
  });

  await test.step('the profile is edited, with its error tied', async () => {
    await chooseInMenu(page, 'Profile');
    await expectHeadingFocused(page, 'Kay Keys');
    await focusAndPress(getMain(page).getByRole('link', { name: 'Edit Profile' }));
    await expectHeadingFocused(page, /Edit/);
    await focusByTab(getTextbox(page, 'Full name'));
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('Delete');
    await page.keyboard.press('Enter');
    await expectFieldError(getTextbox(page, 'Full name'), 'Please enter your full name');
    await expect(page.getByText('Please complete all required fields')).toBeVisible();
    await expect(getTextbox(page, 'Full name')).toBeFocused();
    await page.keyboard.type('Kay Board');
    await focusAndPress(getMainButton(page, 'Save Changes'));
    await expectAnnouncedToast(page, 'Profile updated');
    await expectHeadingFocused(page, 'Kay Board');
  });

  await test.step('the settings are switched', async () => {
    await focusByTab(page.getByRole('tab', { name: 'My Listings' }));
    await page.keyboard.press('End');
    await expect(page).toHaveURL(/\?tab=settings$/);
    await expect(page.getByRole('tab', { name: 'Settings' })).toBeFocused();
    const mails = page.getByRole('checkbox', { name: 'Messages: Email' });
    await focusAndPress(mails, 'Space');
    await expectAnnouncedToast(page, 'Settings saved');
    await expect(mails).not.toBeChecked();
    await expect(mails).toBeFocused();
    const openSettingsPage = (name: string) =>
      focusAndPress(getMain(page).getByRole('link', { name }), 'Enter', 'Shift+Tab');
    await openSettingsPage('Privacy');
    const fullName = page.getByRole('switch', { name: 'Show my full name' });
    await focusAndPress(fullName, 'Space');
    await expect(fullName).not.toBeChecked();
    await expect(fullName).toHaveAttribute('aria-busy', 'false');
    await expect(fullName).toBeFocused();
    await openSettingsPage('Log-in and security');
    const everywhere = getMainButton(page, 'Log out everywhere');
    await focusAndPress(everywhere);
    await expectFocusTrap(page.getByRole('dialog', { name: 'Log out everywhere?' }), everywhere);
  });

  await test.step('the menu closes by Escape, and logs out', async () => {
    const menu = getHeader(page).getByRole('button', { name: /^Account menu/ });
    await focusAndPress(menu, 'Enter', 'Shift+Tab');
    await expect(page.getByRole('menu')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menu')).toHaveCount(0);
    await expect(menu).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem').first()).toBeFocused();
    await page.keyboard.press('End');
    await expect(page.getByRole('menuitem', { name: 'Logout' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`${quadServer.url}/`);
    await expect(getHeader(page).getByRole('link', { name: 'Login' })).toBeVisible();
    await expect(getPageHeading(page)).toBeFocused();
  });
  await context.close();
});

test('messages are read, answered and closed by the keyboard alone, and new ones are announced to screen readers', async ({
  browser,
}) => {
  const ada = await signUp(quadServer, 'Ada Seller', 'ada.keys@usc.edu');
  const ben = await signUp(quadServer, 'Ben Buyer', 'ben.keys@example.com');
  const listings = [
    await postListing(quadServer, ada, 'Walnut desk lamp'),
    await postListing(quadServer, ada, 'Oak bookshelf tall'),
  ] as const;
  const talks = [
    await openConversation(quadServer, ben, listings[0]),
    await openConversation(quadServer, ben, listings[1]),
  ] as const;
  await postConversationMessage(quadServer, ben, talks[0], 'About the lamp');
  await postConversationMessage(quadServer, ben, talks[1], 'About the shelf');
  const context = await openSignedInBrowser(browser, quadServer, ada);
  const page = await context.newPage();
  await openPath(page, '/');
  await chooseInMenu(page, 'Messages', 'Tab');
  await expect(page).toHaveURL(/\/messages\?c=/);
  const input = page.getByPlaceholder('Type your message...');
  const conversations = page.getByRole('region', { name: 'Conversations' });
  const row = (title: string) => conversations.getByRole('link', { name: new RegExp(title) });
  await expect(row('Walnut desk lamp')).toBeVisible();

  for (const [title, tab] of [
    ['Walnut desk lamp', 'Tab'],
    ['Oak bookshelf tall', 'Shift+Tab'],
  ] as const) {
    await focusByTab(row(title), tab);
    await page.keyboard.press('Enter');
    await expect(input).toBeFocused();
    await expectVisibleFocus(page);
    await page.keyboard.type(`Yes, the ${title}`);
    await page.keyboard.press('Enter');
    await expect(
      page.getByRole('region', { name: /^Messages with/ }).getByText(`Yes, the ${title}`, { exact: true }),
    ).toBeVisible();
    await expect(input).toBeFocused();
    // Wait until the conversation has moved to the top of the list, because the move changes the
    // Tab order.
    await expect(conversations.getByRole('link').first()).toContainText(`You: Yes, the ${title}`);
  }
  await postConversationMessage(quadServer, ben, talks[1], 'See you at five');
  await expect(
    page.locator('[aria-live=polite]').filter({ hasText: 'Ben Buyer: See you at five' }),
  ).toHaveCount(1);
  await context.close();

  const buyer = await openSignedInBrowser(browser, quadServer, ben);
  const desk = await buyer.newPage();
  await openPath(desk, `/listing/${listings[0].slug}`);
  const message = getMainButton(desk, 'Message Seller');
  await focusAndPress(message);
  const dialog = desk.getByRole('dialog');
  await expect(dialog.getByPlaceholder('Type your message...')).toBeFocused();
  await desk.keyboard.type('From the dialog');
  await desk.keyboard.press('Enter');
  await expect(dialog.getByText('From the dialog', { exact: true })).toBeVisible();
  await expectFocusTrap(dialog, message);
  await buyer.close();
});
