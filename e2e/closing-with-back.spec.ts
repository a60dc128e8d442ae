import { expect, type Page } from '@playwright/test';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import { waitForPageHistoryEntry } from './support/overlays.ts';
import {
  openConversation,
  openSignedInBrowser,
  postConversationMessage,
  postListing,
  signUp,
  uploadPhoto,
} from './support/students.ts';
import { intercept } from './support/test.ts';

// These tests check that Back closes an overlay (such as a dialog) and does not leave the page.

const phoneBrowserOptions = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
test.use(phoneBrowserOptions);

/** Presses Forward, and expects that this neither opens a closed overlay again nor changes the URL. */
const expectForwardToDoNothing = async (page: Page) => {
  const url = page.url();
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        window.navigation?.addEventListener('currententrychange', resolve, { once: true });
        history.forward();
      }),
  );
  await waitForPageHistoryEntry(page);
  expect(page.url()).toBe(url);
  await expect(page.getByRole('dialog')).toHaveCount(0);
};

test('a tapped suggestion opens its page even if navigation starts while the browser is still going back', async ({
  page,
  quad,
}) => {
  // Makes the router push its history entry after the browser has gone back but before the page gets the
  // `popstate` event.
  await page.addInitScript(() => {
    const push = history.pushState.bind(history);
    const go = history.go.bind(history);
    let state: 'unused' | 'going' | 'crossed' = 'unused';
    history.go = (steps) => {
      if (state === 'unused') state = 'going';
      go(steps);
    };
    addEventListener('popstate', (event) => {
      if (state !== 'going') return;
      document.documentElement.dataset.left = '';
      event.stopImmediatePropagation();
    });
    history.pushState = (...args) => {
      push(...args);
      if (state !== 'going') return;
      state = 'crossed';
      go(-1);
    };
  });
  const seller = await signUp(quad, 'Ada Seller', createUniqueEmailAddress('ada'));
  const title = `Mandolin ${seller.id.slice(0, 8)}`;
  const { slug } = await postListing(quad, seller, title);
  await page.goto('/');
  await intercept(page, /\.data/, async (route) => {
    await page.waitForFunction(() => 'left' in document.documentElement.dataset);
    await route.continue();
  });
  await page.getByRole('combobox', { name: 'Search' }).tap();
  await page.keyboard.type(title);
  await page.getByRole('option').filter({ hasText: title }).tap();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
  await expect(page).toHaveURL(new RegExp(`/product/${slug}$`));
});

test('promise 58: a visitor closes filters, suggestions, photos and dialogs with Back, and typed text is kept', async ({
  page,
  quad,
}) => {
  const seller = await signUp(quad, 'Ada Seller', createUniqueEmailAddress('ada'));
  const title = `Walnut lamp ${seller.id.slice(0, 8)}`;
  const photos = [await uploadPhoto(quad, seller), await uploadPhoto(quad, seller)];
  const listing = await postListing(quad, seller, title, { category: 'kitchen', photos });
  const dialog = page.getByRole('dialog');
  await page.goto('/safety');
  await page.goto('/category/kitchen');
  const filters = page.getByRole('main').getByText('Filters', { exact: true });

  await test.step('the filter sheet closes with Back and keeps its choices', async () => {
    await filters.tap();
    await dialog.getByLabel('Condition').selectOption('Good');
    await expect(page).toHaveURL('/category/kitchen?condition=good');
    await dialog.getByLabel('Price Range').selectOption('$0-$50');
    await expect(page).toHaveURL('/category/kitchen?condition=good&price=0-50');
    await page.goBack();
    await expect(dialog).toHaveCount(0);
    await expect(page).toHaveURL('/category/kitchen?condition=good&price=0-50');
    await expectForwardToDoNothing(page);
    await filters.tap();
    await dialog.getByRole('button', { name: /^Show \d+ results?$/ }).tap();
    await expect(dialog).toHaveCount(0);
    await filters.tap();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await waitForPageHistoryEntry(page);
    await page.goBack();
    await expect(page).toHaveURL('/safety');
    await page.goForward();
    await expect(page).toHaveURL('/category/kitchen?condition=good&price=0-50');
  });

  await page.getByRole('link', { name: title }).tap();
  await expect(page).toHaveURL(`/product/${listing.slug}`);

  await test.step('a photo on the whole screen', async () => {
    await page.getByRole('button', { name: 'View photos full screen' }).first().tap();
    await expect(dialog).toBeVisible();
    await page.goBack();
    await expect(dialog).toHaveCount(0);
    await expect(page).toHaveURL(`/product/${listing.slug}`);
    await expectForwardToDoNothing(page);
  });

  await test.step('a report keeps its text', async () => {
    await page.getByRole('button', { name: 'Report Listing' }).tap();
    await dialog.getByLabel('Subject').fill('Wrong price');
    await dialog.getByLabel('Details').fill('It says forty dollars, but');
    await page.goBack();
    await expect(dialog).toHaveCount(0);
    await page.getByRole('button', { name: 'Report Listing' }).tap();
    await expect(dialog.getByLabel('Subject')).toHaveValue('Wrong price');
    await expect(dialog.getByLabel('Details')).toHaveValue('It says forty dollars, but');
    await dialog.getByRole('button', { name: 'Close' }).tap();
    await expect(dialog).toHaveCount(0);
    await waitForPageHistoryEntry(page);
  });

  await test.step('a link in a dialog leaves no dead entry behind', async () => {
    await page.getByRole('button', { name: 'Message Seller' }).tap();
    await dialog.getByRole('link', { name: 'Log In' }).tap();
    await expect(page).toHaveURL(/\/login/);
    await page.goBack();
    await expect(page).toHaveURL(`/product/${listing.slug}`);
    await expect(dialog).toHaveCount(0);
    await waitForPageHistoryEntry(page);
    await page.goForward();
    await expect(page).toHaveURL(/\/login/);
    await page.goBack();
    await expect(page).toHaveURL(`/product/${listing.slug}`);
    await waitForPageHistoryEntry(page);
    // Go back while the page that Forward opens is still loading.
    await page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const goBack = () => {
            history.back();
            resolve();
          };
          addEventListener('popstate', goBack, { once: true });
          history.forward();
        }),
    );
    await expect(page).toHaveURL(`/product/${listing.slug}`);
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
    await waitForPageHistoryEntry(page);
    // Opening a dialog again adds a history entry, which removes the log-in page from the forward history.
    await page.getByRole('button', { name: 'Message Seller' }).tap();
    await page.goBack();
    await expect(dialog).toHaveCount(0);
    await expectForwardToDoNothing(page);
  });

  await test.step('Back before the page of a link in a dialog is rendered', async () => {
    await page.getByRole('button', { name: 'Message Seller' }).tap();
    await page.evaluate(() => {
      const pushState = history.pushState.bind(history);
      history.pushState = (...call) => {
        history.pushState = pushState;
        pushState(...call);
        queueMicrotask(() => history.back());
      };
    });
    await dialog.getByRole('link', { name: 'Log In' }).tap();
    await expect(page).toHaveURL(`/product/${listing.slug}`);
    await expect(dialog).toHaveCount(0);
    await waitForPageHistoryEntry(page);
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
    await page.goForward();
    await expect(page).toHaveURL(/\/login/);
    await expect(page.getByRole('heading', { name: title })).toHaveCount(0);
    await page.goBack();
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
    await waitForPageHistoryEntry(page);
  });

  await test.step('after a reload with an open dialog, one Back leaves the page', async () => {
    await page.getByRole('button', { name: 'Report Listing' }).tap();
    await expect(dialog).toBeVisible();
    await page.reload();
    await expect(page.getByRole('button', { name: 'Report Listing' })).toBeVisible();
    await waitForPageHistoryEntry(page);
    await page.goBack();
    await expect(page).toHaveURL('/category/kitchen?condition=good&price=0-50');
  });
});

test('promise 58: suggestions close with Back and keep the text', async ({ page }) => {
  await page.goto('/safety');
  await page.goto('/about');
  const box = page.getByRole('banner').getByRole('combobox', { name: 'Search' });
  const options = page.getByRole('banner').getByRole('option');
  await box.pressSequentially('furn');
  await expect(options.first()).toHaveText('FurnitureCategory');
  await page.goBack();
  await expect(options).toHaveCount(0);
  await expect(page).toHaveURL('/about');
  await expect(box).toHaveValue('furn');
  await box.press('ArrowDown');
  await box.press('ArrowDown');
  await expect(options.first()).toHaveAttribute('aria-selected', 'true');
  await box.press('Enter');
  await expect(page).toHaveURL('/category/furniture');
  await page.goBack();
  await expect(page).toHaveURL('/about');
  await waitForPageHistoryEntry(page);
  await page.goBack();
  await expect(page).toHaveURL('/safety');
});

test('promise 58: a student closes menus, messages and prompts with Back, and typed text is kept', async ({
  browser,
  quad,
}) => {
  const seller = await signUp(quad, 'Ada Seller', createUniqueEmailAddress('ada'));
  const buyer = await signUp(quad, 'Ben Buyer', createUniqueEmailAddress('ben'));
  const listing = await postListing(quad, seller, 'Walnut desk lamp');
  const talk = await openConversation(quad, buyer, listing);
  await postConversationMessage(quad, buyer, talk, 'Is it bright?');
  const context = await openSignedInBrowser(browser, quad, buyer, phoneBrowserOptions);
  const page = await context.newPage();
  const dialog = page.getByRole('dialog');
  const input = page.getByPlaceholder('Type your message...');
  await page.goto('/safety');

  await test.step('a dialog that an address opened', async () => {
    await page.goto(`/listing/${listing.slug}?message=1`);
    await expect(dialog.getByText('Is it bright?')).toBeVisible();
    await input.fill('half a thought');
    await page.goBack();
    await expect(dialog).toHaveCount(0);
    await expect(page).toHaveURL(`/listing/${listing.slug}`);
    await page.getByRole('button', { name: 'Message Seller' }).tap();
    await expect(input).toHaveValue('half a thought');
    await dialog.getByRole('button', { name: 'Close' }).tap();
    await expect(dialog).toHaveCount(0);
    await waitForPageHistoryEntry(page);
    await page.goBack();
    await expect(page).toHaveURL('/safety');
  });

  await test.step('a menu, and a screen that was opened from it', async () => {
    const own = await postListing(quad, buyer, 'Bicycle with new tires');
    await page.goto('/my-listings');
    const opener = page.getByRole('button', { name: 'More actions for Bicycle with new tires' });
    await opener.tap();
    await expect(page.getByRole('menu')).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('menu')).toHaveCount(0);
    await expect(page).toHaveURL('/my-listings');
    await expect(opener).toBeFocused();
    await opener.tap();
    await page.getByRole('menuitem', { name: 'Mark as Draft' }).tap();
    await page.getByRole('tab', { name: 'Drafts' }).tap();
    await opener.tap();
    await page.getByRole('menuitem', { name: 'Edit' }).tap();
    await expect(page).toHaveURL(`/post-ad?edit=${own.id}`);
    await page.goBack();
    await expect(page).toHaveURL('/my-listings?tab=drafts');
    await expect(page.getByRole('menu')).toHaveCount(0);
    await waitForPageHistoryEntry(page);
    await page.goBack();
    await expect(page).toHaveURL('/safety');
  });
  await context.close();
});
