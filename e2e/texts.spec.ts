import { expect, type Page } from '@playwright/test';
import { listingPhotoTexts, profileTexts } from '#contract/specification-texts.ts';
import { listMissingTexts } from '#web/testing/collect-texts.ts';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import { createPhotoFile } from './support/photos.ts';
import { createAccount } from './support/sign-in.ts';
import { openSignedInBrowser, signUp } from './support/students.ts';
import { intercept } from './support/test.ts';

// These tests check the texts of the specification about uploads, which need a server. tour.spec.ts and component tests
// (web/testing/*-texts.browser.test.tsx) check the others.

const failedResponse = { status: 500, json: { error: '', code: 'other' } };
const createLampPhoto = () => createPhotoFile('lamp.jpg', { r: 200, g: 120, b: 60 });
const getMainButton = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true });

/** Returns a function that expects a text on the page, and one that lists the texts that it has not been called with. */
const createTextCheck = (page: Page) => {
  const seen: string[] = [];
  return {
    see: async (text: string): Promise<void> => {
      await expect(page.getByText(text).last()).toBeVisible();
      seen.push(text);
    },
    listMissing: (expected: readonly string[]) => listMissingTexts(expected, seen),
  };
};

test('photos that are rejected, fail, or are still uploading show the specified messages', async ({
  browser,
  quad,
}) => {
  const student = await signUp(quad, 'Tess Text', createUniqueEmailAddress('tess'));
  const context = await openSignedInBrowser(browser, quad, student);
  const page = await context.newPage();
  const { see, listMissing } = createTextCheck(page);
  await page.goto('/post-ad');
  const pick = (files: { name: string; mimeType: string; buffer: Buffer }[]) =>
    page.getByLabel('Choose photos').first().setInputFiles(files);
  const good = await createLampPhoto();
  await pick([{ name: 'cv.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF') }]);
  await see('Invalid file');
  await see('Only JPG, JPEG, PNG, and WEBP images are allowed');
  const heavy = Buffer.concat([good.buffer, Buffer.alloc(11 * 1024 * 1024 - good.buffer.length)]);
  await pick([{ ...good, buffer: heavy }]);
  await see('File size must be less than 10MB (11.0MB)');

  const store = '**/storage/v1/object/listing-photos**';
  await pick([{ ...good, buffer: Buffer.from('no photo at all') }]);
  await see('Upload failed');
  await see('Failed to upload image. Please try again.');
  await page.getByRole('button', { name: 'Remove photo 1' }).click();

  const requested = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  await intercept(page, store, async (route) => {
    requested.resolve();
    await answered.promise;
    await route.fallback();
  });
  await pick(Array.from({ length: 6 }, (_, n) => ({ ...good, name: `${n}.jpg` })));
  await see('Too many photos');
  await see('Maximum 5 photos allowed');
  await getMainButton(page, 'Save as Draft').click();
  await see('Upload in progress');
  await see('Please wait for all photos to finish uploading');
  await requested.promise;
  answered.resolve();
  expect(listMissing(listingPhotoTexts)).toEqual([]);
  await context.close();
});

test('profiles that cannot be loaded or set up, and avatars that cannot be changed, show the specified messages', async ({
  browser,
  quad,
}) => {
  const session = await createAccount(quad, createUniqueEmailAddress('tess'));
  const context = await browser.newContext();
  await context.addInitScript((stored) => localStorage.setItem('quad.session', stored), session);
  const page = await context.newPage();
  const { see, listMissing } = createTextCheck(page);
  const me = '**/rest/v1/me';
  await intercept(page, me, (route) => route.fulfill(failedResponse));
  await page.goto('/profile');
  await see('Failed to load profile');
  await page.unroute(me);

  await page.goto('/profile-setup');
  await intercept(page, me, (route) =>
    route.request().method() === 'GET' ? route.fallback() : route.fulfill(failedResponse),
  );
  await getMainButton(page, 'Complete Setup').click();
  await see('Please select your role');
  await page.getByRole('radio', { name: 'Staff' }).check();
  await page.getByLabel('Full name').fill('Tess Text');
  await getMainButton(page, 'Complete Setup').click();
  await see('Setup failed');
  await getMainButton(page, 'Skip for now').click();
  await see('Could not skip setup. Please try again');
  await page.unroute(me);

  const pickFile = (file: { name: string; mimeType: string; buffer: Buffer }) =>
    page.getByLabel('Choose a profile picture').setInputFiles(file);
  const heavy = { name: 'heavy.png', mimeType: 'image/png', buffer: Buffer.alloc(5 * 1024 * 1024 + 1) };
  await pickFile({ name: 'cv.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF') });
  await see('Please upload an image file');
  await pickFile(heavy);
  await see('Please select an image under 5MB');
  const pickAvatar = async () => {
    await pickFile(await createLampPhoto());
    await page.getByRole('dialog').getByRole('button', { name: 'Use Photo' }).click();
  };
  const avatars = '**/storage/v1/object/avatars**';
  await intercept(page, avatars, (route) => route.abort());
  await pickAvatar();
  await see('Could not upload image. Try again');
  await page.unroute(avatars);
  await pickAvatar();
  await see('Avatar uploaded successfully');
  await getMainButton(page, 'Complete Setup').click();
  await see('Profile created');
  await expect(page.getByRole('main').getByText('Staff', { exact: true })).toBeVisible();
  await see('Create Your First Listing');
  await page.getByRole('tab', { name: 'Transaction History' }).click();
  await see('Your completed transactions will appear here');

  await page.goto('/profile/edit');
  const name = page.getByRole('textbox', { name: 'Full name' });
  await name.fill('');
  await getMainButton(page, 'Save Changes').click();
  await see('Please complete all required fields');
  await name.fill('Tess Texts');
  await pickFile(heavy);
  await see('Image must be less than 5MB');
  await intercept(page, avatars, (route) => route.abort());
  await pickAvatar();
  await see('Failed to upload avatar');
  await page.unroute(avatars);
  await intercept(page, me, (route) =>
    route.request().method() === 'GET' ? route.fallback() : route.fulfill(failedResponse),
  );
  await getMainButton(page, 'Remove').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await see('Failed to remove avatar');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await getMainButton(page, 'Save Changes').click();
  await see('We could not save your profile. Please try again');
  await page.unroute(me);
  await getMainButton(page, 'Remove').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await see('Avatar removed');
  await getMainButton(page, 'Save Changes').click();
  await see('Profile updated');
  expect(listMissing(profileTexts)).toEqual([]);
  await context.close();
});
