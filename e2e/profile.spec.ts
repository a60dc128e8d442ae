import { type BrowserContext, expect, type Page } from '@playwright/test';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import { moveItemToEnd } from './support/keys.ts';
import { createPhotoFile } from './support/photos.ts';
import type { QuadServer } from './support/quad-server.ts';
import { defaultPassword, signUpInBrowser } from './support/sign-in.ts';
import { intercept } from './support/test.ts';

const newPassword = 'gold-and-cardinal-2';

// The tests of this file are independent of each other, so they run in several workers.
test.describe.configure({ mode: 'parallel' });

let quadServer: QuadServer;
test.beforeAll(async ({ quad }) => {
  quadServer = quad;
});

const logIn = async (page: Page, email: string, word: string): Promise<void> => {
  await page.goto('/login');
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill(email);
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(word);
  await page.getByRole('button', { name: 'Log In', exact: true }).click();
  await expect(page).toHaveURL(/\/$/);
};

const newPage = async (context: BrowserContext): Promise<{ page: Page; errors: string[] }> => {
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  return { page, errors };
};

const pickAvatar = (page: Page, file: { name: string; mimeType: string; buffer: Buffer }) =>
  page.getByLabel('Choose a profile picture').setInputFiles(file);

test('a student sets up and edits their profile, and changes the password', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: quadServer.url });
  const { page, errors } = await newPage(context);
  const ada = { name: 'Ada Student', email: createUniqueEmailAddress('ada') };
  const photo = await createPhotoFile('me.jpg', { r: 190, g: 120, b: 90 });
  const heavy = { ...photo, buffer: Buffer.concat([photo.buffer, Buffer.alloc(5 * 1024 * 1024)]) };

  await test.step('set-up refuses a file that is too large, takes a photo, and asks for what is missing', async () => {
    await signUpInBrowser(page, quadServer, ada);
    await pickAvatar(page, heavy);
    await expect(page.getByText('Please select an image under 5MB')).toBeVisible();
    await pickAvatar(page, photo);
    await page.getByRole('dialog').getByRole('button', { name: 'Use Photo' }).click();
    await expect(page.getByText('Avatar uploaded successfully')).toBeVisible();
    await page.getByLabel('Full name').fill('  ');
    await page.getByRole('button', { name: 'Complete Setup' }).click();
    await expect(page.getByText('Please enter your full name')).toBeVisible();
    await expect(page.getByText('Please select your role')).toBeVisible();
    await page.getByLabel('Full name').fill(ada.name);
    await page.getByRole('radio', { name: /Student/ }).check();
    await page.getByRole('button', { name: 'Complete Setup' }).click();
    await expect(page.getByText('Profile created')).toBeVisible();
    await expect(page).toHaveURL(/\/profile$/);
  });

  await test.step('the profile shows who one is and how much is missing', async () => {
    await expect(page.getByRole('heading', { name: ada.name })).toBeVisible();
    await expect(page.getByRole('main').getByText('Verified', { exact: true })).toBeVisible();
    await expect(page.getByRole('main').getByText(ada.email, { exact: true })).toBeVisible();
    const bar = page.getByRole('progressbar', { name: 'Profile completion' });
    await expect(bar).toHaveAttribute('aria-valuenow', '85');
  });

  await test.step('the editor removes and replaces the avatar', async () => {
    await page.getByRole('link', { name: 'Edit Profile' }).click();
    await expect(page).toHaveURL(/\/profile\/edit$/);
    await page.getByRole('button', { name: 'Remove' }).click();
    const question = page.getByRole('dialog', { name: 'Remove your picture?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.locator('img[alt="Your profile picture"]')).toBeVisible();
    await page.getByRole('button', { name: 'Remove' }).click();
    await question.getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByText('Avatar removed')).toBeVisible();
    await pickAvatar(page, { name: 'cv.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF') });
    await expect(page.getByText('Please upload an image file')).toBeVisible();
    await pickAvatar(page, heavy);
    await expect(page.getByText('Image must be less than 5MB')).toBeVisible();

    await intercept(page, '**/storage/v1/object/avatars', (route) => route.abort());
    await pickAvatar(page, photo);
    await page.getByRole('slider', { name: 'Zoom' }).fill('2');
    await page.getByRole('button', { name: 'Use Photo' }).click();
    await expect(page.getByText('Failed to upload avatar')).toBeVisible();
    await page.unroute('**/storage/v1/object/avatars');
    await pickAvatar(page, photo);
    await page.getByRole('button', { name: 'Use Photo' }).click();
    await expect(page.getByText('Avatar uploaded successfully')).toBeVisible();
    const picture = page.getByRole('img', { name: 'Your profile picture' });
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
  });

  await test.step('the editor says what is wrong, saves, and the header follows at once', async () => {
    await expect(page.getByLabel('Email')).toHaveAttribute('readonly', '');
    await expect(page.getByText('cannot be changed')).toBeVisible();
    const name = page.getByLabel('Full name');
    await name.fill('');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect(page.getByText('Please complete all required fields')).toBeVisible();

    await name.fill('Ada Lovelace');
    await page.getByLabel('Role').selectOption('Alumni');
    await page.getByLabel('Bio').fill('Mathematics.\nOn campus on Fridays.');
    await expect(page.getByText('34/500')).toBeVisible();
    await intercept(page, '**/rest/v1/me', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.fallback(),
    );
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect(page.getByText('We could not save your profile. Please try again')).toBeVisible();
    await expect(name).toHaveValue('Ada Lovelace');
    await page.unroute('**/rest/v1/me');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect(page.getByText('Profile updated')).toBeVisible();
    await expect(page).toHaveURL(/\/profile$/);
    await expect(page.getByRole('heading', { name: 'Ada Lovelace' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Account menu of Ada Lovelace' })).toBeVisible();
    await expect(page.getByText('Alumni', { exact: true })).toBeVisible();
    await expect(page.getByRole('progressbar', { name: 'Profile completion' })).toHaveAttribute(
      'aria-valuenow',
      '100',
    );
    await page.getByRole('link', { name: 'Edit Profile' }).click();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await expect(page).toHaveURL(/\/profile$/);
  });

  await test.step('the tabs stand in the address', async () => {
    await expect(page.getByRole('link', { name: 'Create Your First Listing' })).toHaveAttribute(
      'href',
      '/post-ad',
    );
    await page.getByRole('tab', { name: 'My Rentals' }).click();
    await expect(page).toHaveURL(/\?tab=rentals$/);
    await expect(page.getByText('No rentals yet')).toBeVisible();
    await page.getByRole('tab', { name: 'Transaction History' }).click();
    await page.reload();
    await expect(page.getByText('Your completed transactions will appear here')).toBeVisible();
  });

  await test.step('the settings hold', async () => {
    await page.goto('/profile?tab=settings');
    const mails = page.getByRole('checkbox', { name: 'Messages: Email' });
    const fullName = page.getByRole('switch', { name: 'Show my full name' });
    await expect(mails).toBeChecked();
    await mails.click();
    await expect(mails).not.toBeChecked();
    await expect(page.getByText('Settings saved')).toBeVisible();
    await fullName.click();
    await expect(page.getByText('Profile updated').first()).toBeVisible();
    await page.reload();
    await expect(mails).not.toBeChecked();
    await expect(fullName).not.toBeChecked();
    await intercept(page, '**/rest/v1/me', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.fallback(),
    );
    await fullName.click();
    await expect(page.getByText('We could not save your profile. Please try again')).toBeVisible();
    await expect(fullName).not.toBeChecked();
    await page.unroute('**/rest/v1/me');
  });

  await test.step('a new password, and all sessions ended', async () => {
    await page.getByRole('textbox', { name: 'New password', exact: true }).fill(newPassword);
    await page.getByRole('textbox', { name: 'Confirm new password' }).fill('something-else-3');
    await page.getByRole('button', { name: 'Change Password' }).click();
    await expect(page.getByText('Passwords do not match')).toBeVisible();
    await page.getByRole('textbox', { name: 'Confirm new password' }).fill(newPassword);
    // Moves the log-in so far into the past that the server requires the current password.
    await intercept(page, '**/auth/v1/user', (route) => {
      if (route.request().postDataJSON()?.current_password) return route.fallback();
      const refusal = { code: 400, error_code: 'reauthentication_needed', msg: 'Please log in again' };
      return route.fulfill({ status: 400, json: refusal });
    });
    await page.getByRole('button', { name: 'Change Password' }).click();
    const current = page.getByRole('textbox', { name: 'Current password' });
    await expect(current).toBeFocused();
    await current.fill(defaultPassword);
    await page.getByRole('button', { name: 'Change Password' }).click();
    await expect(page.getByText('Password updated successfully!')).toBeVisible();
    await expect(current).toHaveCount(0);
    await page.unroute('**/auth/v1/user');

    const phone = await browser.newContext({ baseURL: quadServer.url });
    const { page: other } = await newPage(phone);
    await logIn(other, ada.email, newPassword);
    await page.getByRole('button', { name: 'Log out everywhere' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Log out' }).click();
    await expect(page).toHaveURL(/\/$/);
    await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible();
    await other.goto('/profile');
    await expect(other).toHaveURL(/\/login/);
    await phone.close();
  });

  expect(errors).toEqual([]);
  await context.close();
});

test('photos are reordered by mouse and by keyboard, and viewed in full screen', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: quadServer.url });
  const { page, errors } = await newPage(context);
  await signUpInBrowser(page, quadServer, { name: 'Olga Order', email: createUniqueEmailAddress('olga') });
  await page.getByRole('button', { name: 'Skip for now' }).click();
  await expect(page).toHaveURL(/\/profile$/);

  await page.goto('/post-ad');
  await page.getByLabel('Title').fill('Bicycle to borrow for a day');
  await page.getByLabel('Category').selectOption('rentals');
  await page.getByLabel('Condition').selectOption('good');
  await page.getByRole('textbox', { name: 'Price' }).fill('12');
  await page.getByLabel('Price is for').selectOption('day');
  await page
    .getByLabel('Description')
    .fill('A city bicycle with a basket, a lock and lights. Bring it back by evening.');
  await page.getByLabel('Location').fill('Main gate');
  await page.getByLabel('Contact email').fill('olga@usc.edu');
  await page
    .getByLabel('Choose photos')
    .setInputFiles([
      await createPhotoFile('red.jpg', { r: 220, g: 30, b: 30 }),
      await createPhotoFile('green.jpg', { r: 30, g: 200, b: 30 }),
      await createPhotoFile('blue.jpg', { r: 30, g: 30, b: 220 }),
    ]);
  await expect(page.getByRole('progressbar')).toHaveCount(0, { timeout: 30_000 });
  const previews = page.getByRole('img', { name: /^Preview of photo/ });
  const order = () =>
    previews.evaluateAll((images) => images.map((image) => (image as HTMLImageElement).src));
  await expect(previews).toHaveCount(3);
  const [red, green, blue] = await order();

  await test.step('by keyboard the second comes third', async () => {
    await page.getByRole('button', { name: 'Move photo 2', exact: true }).focus();
    await page.keyboard.press('Space');
    await expect(page.getByText('photo 2 is over place 2 of 3.')).toBeAttached();
    await moveItemToEnd(page, 'ArrowRight', page.getByText('photo 2 is over place 3 of 3.'));
    await page.keyboard.press('Space');
    await expect.poll(order).toEqual([red, blue, green]);
  });

  await test.step('by mouse it becomes the cover', async () => {
    const [from, to] = [await previews.nth(1).boundingBox(), await previews.nth(0).boundingBox()];
    if (!from || !to) throw new Error('The photos are not shown');
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 8 });
    await page.mouse.up();
    await expect.poll(order).toEqual([blue, red, green]);
  });

  await test.step('the listing keeps the order, and shows its photos on the whole screen', async () => {
    await page.getByRole('button', { name: 'Post Ad' }).click();
    await expect(page).toHaveURL(/\/listing\//);
    const { slug, photos } = await fetchCurrentListing(page);
    expect(photos.map((url) => /-(red|green|blue)\.jpg$/.exec(url)?.[1])).toEqual(['blue', 'red', 'green']);
    await page.getByRole('button', { name: 'View photos full screen' }).click();
    const viewer = page.getByRole('dialog', { name: /^Photos of/ });
    await expect(viewer.getByText('Photo 1 of 3')).toBeVisible();
    await page.keyboard.press('ArrowRight');
    await expect(viewer.getByText('Photo 2 of 3')).toBeVisible();
    await viewer.getByRole('button', { name: 'Next photo' }).click();
    await expect(viewer.getByText('Photo 3 of 3')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(viewer).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'View photos full screen' })).toBeFocused();
    await expect(page.getByRole('img', { name: /photo 3 of 3$/ })).toBeVisible();

    await page.goto('/profile?tab=rentals');
    const row = page.getByRole('link', { name: /Bicycle to borrow/ });
    await expect(row).toHaveAttribute('href', `/product/${slug}`);
    await expect(row).toContainText('$12 / day');
    await expect(row).toContainText('Active');
    await expect(page.getByRole('link', { name: 'View All' })).toHaveAttribute('href', '/my-listings');
  });
  expect(errors).toEqual([]);
  await context.close();
});

const fetchCurrentListing = async (page: Page): Promise<{ slug: string; photos: string[] }> => {
  const slug = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  return (await page.request.get(`/rest/v1/listings/${slug}`)).json();
};
