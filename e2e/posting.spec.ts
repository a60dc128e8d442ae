import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import { createPhotoFile } from './support/photos.ts';
import type { QuadServer } from './support/quad-server.ts';
import { defaultPassword } from './support/sign-in.ts';
import { callApi, openSignedInBrowser, postListing, type Student, signUp } from './support/students.ts';
import { intercept } from './support/test.ts';

// The tests of this file are independent of each other, so they run in several workers.
test.describe.configure({ mode: 'parallel' });

const openPhoneContext = (browser: Browser, quad: QuadServer, student: Student): Promise<BrowserContext> =>
  openSignedInBrowser(browser, quad, student, {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  });

const description = 'Solid oak, two drawers, a few marks on the top. Easy to carry by two people.';
const getField = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const getButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const getPhotoPreviews = (page: Page) => page.getByRole('img', { name: /^Preview of photo/ });
const unfinishedListingHeading = 'Continue your unfinished listing?';
const unsavedChangesHeading = 'Continue your unsaved changes?';
const expectContinueOffer = (page: Page, name: string) =>
  expect(page.getByRole('heading', { level: 2, name })).toBeInViewport({ ratio: 1 });

/** Returns the local-storage keys and the names of caches in which forms have saved data in this browser. */
const listSavedNames = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const texts = Object.keys(localStorage);
    return [...texts, ...(await caches.keys())].filter((name) => name.startsWith('quad.saved.'));
  });

const fillListing = async (page: Page, title: string): Promise<void> => {
  await getField(page, 'Title').fill(title);
  await page.getByLabel('Category').selectOption('furniture');
  await page.getByLabel('Condition').selectOption('good');
  await page.getByRole('textbox', { name: 'Price' }).fill('45');
  await getField(page, 'Description').fill(description);
  await getField(page, 'Location').fill('Parkside');
};

const expectFilledForm = async (page: Page, title: string, price = '45'): Promise<void> => {
  await expect(getField(page, 'Title')).toHaveValue(title);
  await expect(page.getByLabel('Category')).toHaveValue('furniture');
  await expect(page.getByLabel('Condition')).toHaveValue('good');
  await expect(page.getByRole('textbox', { name: 'Price' })).toHaveValue(price);
  await expect(getField(page, 'Description')).toHaveValue(description);
  await expect(getField(page, 'Location')).toHaveValue('Parkside');
};

test('on a phone, a listing survives a reload, an interrupted upload and a closed tab, and says what is missing', async ({
  browser,
  quad,
}) => {
  const sam = await signUp(quad, 'Sam Seller', createUniqueEmailAddress('sam'));
  const context = await openPhoneContext(browser, quad, sam);
  let page = await context.newPage();
  const questions: string[] = [];
  page.on('dialog', (question) => {
    questions.push(question.type());
    return question.accept();
  });
  await page.goto('/post-ad');
  const post = getButton(page, 'Post Ad');

  await test.step('the email is filled in, is called public, and can be removed', async () => {
    const email = getField(page, 'Contact email');
    await expect(email).toHaveValue(sam.email);
    await expect(email).toHaveAccessibleDescription('Everyone can see this on your listing');
    await getButton(page, 'Remove contact email').tap();
    await expect(email).toHaveValue('');
    await expect(email).toBeFocused();
    await expect(getButton(page, 'Remove contact email')).toHaveCount(0);
  });

  await test.step('the pinned bar names what is missing and leads there', async () => {
    await expect(post).toBeDisabled();
    await expect(post).toBeInViewport({ ratio: 1 });
    const missing = page.getByRole('list', { name: 'Still needed' }).getByRole('button');
    await expect(missing).toHaveText(['Title', 'Category', 'Condition']);
    await expect(page.getByText('+4 more')).toBeVisible();
    await missing.filter({ hasText: 'Title' }).tap();
    await expect(getField(page, 'Title')).toBeFocused();
    await fillListing(page, 'Oak desk with two drawers');
    await expect(missing).toHaveText(['Email or phone']);
    await missing.tap();
    await expect(getField(page, 'Contact email')).toBeFocused();
    await getField(page, 'Contact email').fill('sam@elsewhere.example');
    await expect(missing).toHaveCount(0);
    await expect(post).toBeEnabled();
    await expect(page.getByText('Saved on this device')).toBeVisible();
  });

  const uploads: string[] = [];
  const holdUploads = async () => {
    await intercept(page, '**/storage/v1/object/listing-photos', (route) => {
      uploads.push(route.request().url());
    });
  };
  await test.step('after a reload everything is back, and the interrupted upload starts again', async () => {
    const choose = page.getByLabel('Choose photos');
    await choose.setInputFiles([
      await createPhotoFile('front.jpg', { r: 200, g: 90, b: 60 }),
      await createPhotoFile('side.jpg', { r: 60, g: 90, b: 200 }),
    ]);
    await expect(getPhotoPreviews(page)).toHaveCount(2);
    await expect(page.getByRole('progressbar')).toHaveCount(0);
    await getButton(page, 'Make photo 2 the cover').tap();
    const [, front] = await getPhotoPreviews(page).evaluateAll((all) =>
      all.map((it) => (it as HTMLImageElement).src),
    );
    await holdUploads();
    await choose.setInputFiles([await createPhotoFile('back.jpg', { r: 60, g: 200, b: 90 })]);
    await expect.poll(() => uploads.length).toBe(1);
    await expect(page.getByText('Saved on this device')).toBeVisible();
    expect(front).toMatch(/^blob:/);

    await page.unrouteAll();
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await page.reload();
    await expectContinueOffer(page, unfinishedListingHeading);
    // A reload loses no data here, so the browser must not have asked for confirmation.
    expect(questions).toEqual([]);
    await expect(page.getByText(/^“Oak desk with two drawers” · 3 photos · saved 1 min ago$/)).toBeVisible();
    await expect(getField(page, 'Title')).toHaveCount(0);
    await getButton(page, 'Continue').tap();
    await expectFilledForm(page, 'Oak desk with two drawers');
    await expect(getField(page, 'Contact email')).toHaveValue('sam@elsewhere.example');
    await expect(getPhotoPreviews(page)).toHaveCount(3);
    await expect(page.getByRole('progressbar')).toHaveCount(0);
    await expect(page.getByRole('form', { name: 'Your listing' })).toBeFocused();
  });

  await test.step('after the tab was closed it is offered again, and posting removes it', async () => {
    await getField(page, 'Title').fill('Oak desk with three drawers');
    await page.close({ runBeforeUnload: false });
    page = await context.newPage();
    await page.goto('/post-ad');
    await expectContinueOffer(page, unfinishedListingHeading);
    await getButton(page, 'Continue').tap();
    await page
      .getByLabel('Choose photos')
      .setInputFiles([{ name: 'torn.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no photo at all') }]);
    await expect(page.getByText('Failed to upload image. Please try again.').first()).toBeVisible();
    await getButton(page, 'Post Ad').tap();
    await expect(
      page.getByText('Please retry or remove the photos that could not be uploaded'),
    ).toBeVisible();
    await getButton(page, 'Remove photo 4').tap();
    await getButton(page, 'Post Ad').tap();
    await expect(page.getByText('Your listing is published.')).toBeVisible();
    await expect(page).toHaveURL(/\/listing\/oak-desk-with-three-drawers-/);
    const own = await callApi<{ items: { photos: string[] }[] }>(quad, '/rest/v1/me/listings', {
      token: sam.token,
    });
    const names = own.items[0]?.photos.map((url) => /-(front|side|back)\.jpg$/.exec(url)?.[1]);
    expect(names).toEqual(['side', 'front', 'back']);
    await page.goto('/post-ad');
    await expect(getField(page, 'Title')).toHaveValue('');
    await expect.poll(() => listSavedNames(page)).toEqual([]);
  });

  await test.step('starting new discards what was saved, and can be undone', async () => {
    await getField(page, 'Title').fill('A lamp that nobody needs');
    await page.reload();
    await getButton(page, 'Start new').tap();
    await page.getByRole('button', { name: 'Undo' }).tap();
    await expect(page.getByText('“A lamp that nobody needs”')).toBeVisible();
    await getButton(page, 'Start new').tap();
    await expect(getField(page, 'Title')).toHaveValue('');
    await expect(getField(page, 'Contact email')).toHaveValue(sam.email);
    await getField(page, 'Title').fill('A newer lamp');
    await page.getByRole('button', { name: 'Undo' }).tap();
    await expect(page.getByText('You have typed something new since you discarded it.')).toBeVisible();
    await expect(getField(page, 'Title')).toHaveValue('A newer lamp');
    await getField(page, 'Title').fill('');
    await expect.poll(() => listSavedNames(page)).toEqual([]);
    await page.reload();
    await expect(getField(page, 'Title')).toHaveValue('');
  });

  await test.step('a draft that is published for the first time says so in My Listings, too', async () => {
    await fillListing(page, 'Bookshelf with five boards');
    await getButton(page, 'Save as Draft').tap();
    await expect(page.getByText('Draft saved')).toBeVisible();
    await expect(page).toHaveURL(/edit=/);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Post' }).tap();
    await expect(getField(page, 'Title')).toHaveValue('');
    await page.goBack();
    await expect(page).toHaveURL(/edit=/);
    await expectFilledForm(page, 'Bookshelf with five boards', '45.00');
    await page.reload();
    await expectFilledForm(page, 'Bookshelf with five boards', '45.00');
    await page.goto('/my-listings?tab=drafts');
    await page.getByRole('button', { name: 'Publish Item Bookshelf with five boards' }).tap();
    await expect(page.getByText('Your listing is published.')).toBeVisible();
  });
  await context.close();
});

test('on a phone, logging in after a lost session restores the listing form, but only for the same account', async ({
  browser,
  quad,
}) => {
  const sam = await signUp(quad, 'Sam Seller', createUniqueEmailAddress('sam'));
  const eve = await signUp(quad, 'Eve Else', createUniqueEmailAddress('eve'));
  const context = await openPhoneContext(browser, quad, sam);
  const page = await context.newPage();
  // Block the live connection, which would end the session in the browser before the form is sent.
  await page.routeWebSocket(/\/realtime\//, () => {});
  const logIn = async (email: string) => {
    await getField(page, 'Email').fill(email);
    await getField(page, 'Password').fill(defaultPassword);
    await getButton(page, 'Log In').tap();
  };
  const logOut = async (tab: Page) => {
    await tab.goto('/profile');
    await tab.getByRole('main').getByRole('button', { name: 'Logout' }).tap();
    await expect(tab).toHaveURL('/');
    await expect.poll(() => tab.evaluate(() => localStorage.getItem('quad.session'))).toBeNull();
  };
  const endSessions = async () => {
    const { status } = await fetch(`${quad.url}/auth/v1/logout?scope=global`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sam.token}` },
    });
    expect(status).toBe(204);
  };

  await page.goto('/post-ad');
  await fillListing(page, 'Floor lamp with a long neck');
  await page
    .getByLabel('Choose photos')
    .setInputFiles([await createPhotoFile('lamp.jpg', { r: 200, g: 90, b: 60 })]);
  await expect(page.getByRole('progressbar')).toHaveCount(0);

  await test.step('posting without a session asks to log in, and then continues', async () => {
    await endSessions();
    await getButton(page, 'Post Ad').tap();
    await expect(page).toHaveURL('/login?from=%2Fpost-ad');
    await expect(page.getByText('What you typed is saved')).toBeVisible();
    await logIn(sam.email);
    await expectFilledForm(page, 'Floor lamp with a long neck');
    await expect(getPhotoPreviews(page)).toHaveCount(1);
  });

  await test.step('another account is offered nothing, and sees nothing', async () => {
    await page.evaluate(() => {
      localStorage.removeItem('quad.session');
      window.dispatchEvent(new StorageEvent('storage', { key: 'quad.session' }));
    });
    await expect(page).toHaveURL('/login?from=%2Fpost-ad');
    await logIn(eve.email);
    await expect(getField(page, 'Contact email')).toHaveValue(eve.email);
    await expect(getField(page, 'Title')).toHaveValue('');
    await expect(getPhotoPreviews(page)).toHaveCount(0);
    await getField(page, 'Title').fill('Something of Eve');
    await logOut(page);
    const isOnlySamsSaved = async () => (await listSavedNames(page)).every((name) => name.includes(sam.id));
    await expect.poll(isOnlySamsSaved).toBe(true);
  });

  await test.step('its own account is offered it; logging out erases it', async () => {
    await page.goto('/login?from=%2Fpost-ad');
    await logIn(sam.email);
    await expectContinueOffer(page, unfinishedListingHeading);
    await getButton(page, 'Continue').tap();
    await expectFilledForm(page, 'Floor lamp with a long neck');
    const otherTab = await context.newPage();
    await logOut(otherTab);
    await expect(page).toHaveURL('/');
    await expect(page.getByText('What you typed is saved')).toHaveCount(0);
    await expect.poll(() => listSavedNames(page)).toEqual([]);
    await otherTab.close();
    await page.goto('/login?from=%2Fpost-ad');
    await logIn(sam.email);
    await expect(getField(page, 'Title')).toHaveValue('');
  });
  await context.close();
});

test('with listing forms in two tabs, the last edited form is saved, and posting the other one does not discard it', async ({
  browser,
  quad,
}) => {
  const sam = await signUp(quad, 'Sam Seller', createUniqueEmailAddress('sam'));
  const context = await openPhoneContext(browser, quad, sam);
  const [first, second] = [await context.newPage(), await context.newPage()];
  for (const page of [first, second]) {
    await page.goto('/post-ad');
    // Wait until both tabs show the empty form before typing. A tab that opens later would offer to continue
    // the text of the other tab.
    await expect(getField(page, 'Title')).toBeVisible();
  }
  await fillListing(first, 'Stool with three legs');
  await getField(second, 'Title').fill('Mirror in a frame');
  await getButton(first, 'Post Ad').tap();
  // After posting, the form switches to editing the new listing; two seconds later the page of the listing
  // opens.
  await expect(first).toHaveURL(/\/post-ad\?edit=/);
  await expect(first.getByText('Your listing is published.')).toBeVisible();
  await first.close();
  await second.reload();
  await expectContinueOffer(second, unfinishedListingHeading);
  await getButton(second, 'Continue').tap();
  await expect(getField(second, 'Title')).toHaveValue('Mirror in a frame');
  await expect(getField(second, 'Location')).toHaveValue('');
  await context.close();
});

test('unsaved changes to a listing are offered again, with a note if the listing has changed since', async ({
  browser,
  quad,
}) => {
  const sam = await signUp(quad, 'Sam Seller', createUniqueEmailAddress('sam'));
  const { id } = await postListing(quad, sam, 'Desk with a drawer that locks');
  const context = await openPhoneContext(browser, quad, sam);
  const page = await context.newPage();
  await page.clock.install();

  await test.step('changes are kept per listing, and a newer version is pointed out', async () => {
    await page.goto(`/post-ad?edit=${id}`);
    await getField(page, 'Location').fill('Cardinal Gardens');
    await page.goto('/post-ad');
    await expect(getField(page, 'Title')).toHaveValue('');
    await callApi(quad, `/rest/v1/me/listings/${id}`, {
      token: sam.token,
      method: 'PATCH',
      body: { status: 'draft' },
    });
    await page.goto(`/post-ad?edit=${id}`);
    await expectContinueOffer(page, unsavedChangesHeading);
    await expect(page.getByText('This listing was changed since then')).toBeVisible();
    await getButton(page, 'Continue').tap();
    await expect(getField(page, 'Location')).toHaveValue('Cardinal Gardens');
    await expect(getField(page, 'Title')).toHaveValue('Desk with a drawer that locks');
  });

  await test.step('a photo that the server removed is uploaded again, or has to be chosen again', async () => {
    await page
      .getByLabel('Choose photos')
      .setInputFiles([
        await createPhotoFile('front.jpg', { r: 200, g: 90, b: 60 }),
        await createPhotoFile('side.jpg', { r: 60, g: 90, b: 200 }),
      ]);
    await expect(getPhotoPreviews(page)).toHaveCount(2);
    await expect(page.getByRole('progressbar')).toHaveCount(0);
    await intercept(page, '**/storage/v1/object/public/**', (route) =>
      route.request().method() === 'HEAD' ? route.fulfill({ status: 404 }) : route.fallback(),
    );
    // Simulate that the browser has also evicted one of the two saved photo files.
    await page.evaluate(async () => {
      const [name] = (await caches.keys()).filter((it) => it.startsWith('quad.saved.'));
      const cache = await caches.open(name ?? '');
      const [, second] = await cache.keys();
      if (second) await cache.delete(second);
    });
    await page.reload();
    const upload = page.waitForResponse('**/storage/v1/object/listing-photos');
    await getButton(page, 'Continue').tap();
    await upload;
    await expect(getPhotoPreviews(page)).toHaveCount(1);
    await expect(page.getByText('Some photos have to be chosen again')).toBeVisible();
    await expect(page.getByRole('main').getByText(/^(front|side)\.jpg$/)).toBeVisible();
    await page.unrouteAll();
  });

  await test.step('after 30 days nothing is offered', async () => {
    await page.clock.fastForward(30 * 24 * 60 * 60_000);
    await page.reload();
    await expect(getField(page, 'Location')).toHaveValue('Parkside');
    await page.clock.runFor(3000);
    await expect.poll(() => listSavedNames(page)).toEqual([]);
  });

  await test.step('without storage the form works, and the browser asks before text is lost', async () => {
    await page.evaluate(() => {
      const { setItem } = Storage.prototype;
      Storage.prototype.setItem = function (key, value) {
        if (key.startsWith('quad.saved.')) throw new DOMException('Full', 'QuotaExceededError');
        setItem.call(this, key, value);
      };
    });
    await getField(page, 'Location').fill('Webb Tower');
    await expect(page.getByText('Saved on this device')).toHaveCount(0);
    const question = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    expect((await question).type()).toBe('beforeunload');
    await (await question).dismiss();
    // Navigation within the app loses no data, so it must not ask for confirmation.
    await page.getByRole('main').getByRole('link', { name: 'My Listings' }).tap();
    await expect(page.getByRole('heading', { level: 1, name: 'My Listings' })).toBeVisible();
    await page.goBack();
    await expectContinueOffer(page, unsavedChangesHeading);
    await getButton(page, 'Continue').tap();
    await expect(getField(page, 'Location')).toHaveValue('Webb Tower');
    await getButton(page, 'Update Listing').tap();
    await expect(page.getByText('Listing updated')).toBeVisible();
  });
  await context.close();
});
