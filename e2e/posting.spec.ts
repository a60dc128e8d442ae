import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import { createPhotoFile } from './support/photos.ts';
import type { QuadServer } from './support/quad-server.ts';
import { listSavedNames } from './support/saved-data.ts';
import { defaultPassword } from './support/sign-in.ts';
import { callApi, openSignedInBrowser, type Student, signUp } from './support/students.ts';
import { intercept } from './support/test.ts';

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
const expectContinueOffer = (page: Page) =>
  expect(page.getByRole('heading', { level: 2, name: 'Continue your unfinished listing?' })).toBeInViewport({
    ratio: 1,
  });

const fillListing = async (page: Page, title: string): Promise<void> => {
  await getField(page, 'Title').fill(title);
  await page.getByLabel('Category').selectOption('furniture');
  await page.getByRole('radio', { name: 'Good' }).check();
  await page.getByRole('textbox', { name: 'Price' }).fill('45');
  await getField(page, 'Description').fill(description);
  await getField(page, 'Location').fill('Parkside');
};

const expectFilledForm = async (page: Page, title: string): Promise<void> => {
  await expect(getField(page, 'Title')).toHaveValue(title);
  await expect(page.getByLabel('Category')).toHaveValue('furniture');
  await expect(page.getByRole('radio', { name: 'Good' })).toBeChecked();
  await expect(page.getByRole('textbox', { name: 'Price' })).toHaveValue('45');
  await expect(getField(page, 'Description')).toHaveValue(description);
  await expect(getField(page, 'Location')).toHaveValue('Parkside');
};

test('on a phone, a listing says what is missing, survives an interrupted upload and a closed tab, and is posted', async ({
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

  await test.step('the email is empty and called public; one tap fills it in, and another removes it', async () => {
    const email = getField(page, 'Contact email');
    await expect(email).toHaveValue('');
    await getButton(page, 'Use my email').tap();
    await expect(email).toHaveValue(sam.email);
    await expect(email).toHaveAccessibleDescription('Everyone can see this on your listing');
    await getButton(page, 'Remove contact email').tap();
    await expect(email).toHaveValue('');
    await expect(email).toBeFocused();
  });

  await test.step('the form fills the window, and says what is missing and leads there', async () => {
    await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCount(0);
    await expect(page.getByRole('banner')).toHaveCount(0);
    await post.tap();
    await expect(page.getByText('Please fix the errors before submitting')).toBeInViewport({ ratio: 1 });
    await expect(getField(page, 'Title')).toBeFocused();
    await expect(post).toBeInViewport({ ratio: 1 });
    const missing = page.getByRole('list', { name: 'Still needed' }).getByRole('button');
    await expect(missing).toHaveText([
      ...['Title', 'Category', 'Condition', 'Price', 'Description', 'Location', 'Email or phone'],
    ]);
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

  await test.step('after a reload everything is back, and the interrupted upload starts again', async () => {
    const choose = page.getByLabel('Choose photos');
    await choose.setInputFiles([
      await createPhotoFile('front.jpg', { r: 200, g: 90, b: 60 }),
      await createPhotoFile('side.jpg', { r: 60, g: 90, b: 200 }),
    ]);
    await expect(getPhotoPreviews(page)).toHaveCount(2);
    await expect(page.getByRole('progressbar')).toHaveCount(0);
    await getButton(page, 'Options for photo 2').tap();
    await page.getByRole('menuitem', { name: 'Make cover' }).tap();
    const uploads: string[] = [];
    await intercept(page, '**/storage/v1/object/listing-photos', (route) => {
      uploads.push(route.request().url());
    });
    await choose.setInputFiles([await createPhotoFile('back.jpg', { r: 60, g: 200, b: 90 })]);
    await expect.poll(() => uploads.length).toBe(1);
    await expect(page.getByText('Saved on this device')).toBeVisible();

    await page.unrouteAll();
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await page.reload();
    await expectContinueOffer(page);
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
    await page.goto('/about');
    await page.goto('/post-ad');
    await expectContinueOffer(page);
    await getButton(page, 'Continue').tap();
    await expect(getPhotoPreviews(page)).toHaveCount(3);
    await getButton(page, 'Post Ad').tap();
    await expect(page.getByText('Your listing is published.')).toBeVisible();
    await expect(page).toHaveURL(/\/listing\/oak-desk-with-three-drawers-/);
    const own = await callApi<{ items: { photos: string[] }[] }>(quad, '/rest/v1/me/listings', {
      token: sam.token,
    });
    const names = own.items[0]?.photos.map((url) => /-(front|side|back)\.jpg$/.exec(url)?.[1]);
    expect(names).toEqual(['side', 'front', 'back']);
    await expect.poll(() => listSavedNames(page)).toEqual([]);
  });
  await test.step('the next one is posted in eight taps and keeps location, category and contact; Back leads to neither form', async () => {
    const sheet = page.getByRole('dialog', { name: 'Listed' });
    await sheet.getByRole('button', { name: 'Post another' }).tap();
    await expect(page).toHaveURL('/post-ad');
    await expect(getField(page, 'Location')).toHaveValue('Parkside');
    await expect(page.getByLabel('Category')).toHaveValue('furniture');
    await expect(getField(page, 'Contact email')).toHaveValue('sam@elsewhere.example');
    const chooser = page.waitForEvent('filechooser');
    await getButton(page, 'Choose photos').tap();
    await (await chooser).setFiles([await createPhotoFile('chair.jpg', { r: 20, g: 90, b: 60 })]);
    await getField(page, 'Title').tap();
    await page.keyboard.type('Oak chair without a cushion');
    await page.getByRole('radio', { name: 'Good' }).tap();
    await page.getByRole('textbox', { name: 'Price' }).tap();
    await page.keyboard.type('15');
    await getField(page, 'Description').tap();
    await page.keyboard.type(description);
    await getButton(page, 'Post Ad').tap();
    await expect(page.getByRole('heading', { name: 'Listed' })).toBeVisible();
    await expect(page).toHaveURL(/\/listing\/oak-chair-without-a-cushion-/);
    await sheet.getByRole('button', { name: 'Close' }).tap();
    await expect(sheet).toHaveCount(0);
    await page.goBack();
    await expect(page).not.toHaveURL(/post-ad|oak-chair/);
  });
  await context.close();
});

test('logging in after a lost session restores the listing form, but only for the same account', async ({
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
  await page.goto('/post-ad');
  await fillListing(page, 'Floor lamp with a long neck');
  await getButton(page, 'Use my email').tap();
  await page
    .getByLabel('Choose photos')
    .setInputFiles([await createPhotoFile('lamp.jpg', { r: 200, g: 90, b: 60 })]);
  await expect(page.getByRole('progressbar')).toHaveCount(0);

  await test.step('posting without a session asks to log in, and then continues', async () => {
    const { status } = await fetch(`${quad.url}/auth/v1/logout?scope=global`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sam.token}` },
    });
    expect(status).toBe(204);
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
    await expect(getField(page, 'Contact email')).toHaveValue('');
    await expect(getField(page, 'Title')).toHaveValue('');
    await expect(getPhotoPreviews(page)).toHaveCount(0);
    await getField(page, 'Title').fill('Something of Eve');
  });

  await test.step('a log-out erases what the account saved, and nothing of another one', async () => {
    await expect.poll(() => listSavedNames(page)).toContain(`quad.saved.${eve.id}.listing.new`);
    await getButton(page, 'Close').tap();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Profile' }).tap();
    await page.getByRole('main').getByRole('button', { name: 'Logout' }).tap();
    await expect(page).toHaveURL('/');
    const isOnlySamsSaved = async () => (await listSavedNames(page)).every((name) => name.includes(sam.id));
    await expect.poll(isOnlySamsSaved).toBe(true);
    expect(await listSavedNames(page)).not.toEqual([]);
  });
  await context.close();
});
