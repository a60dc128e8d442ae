import { expect, type Locator } from '@playwright/test';
import { photoWidths } from '../contract/photos.ts';
import { newAddress, test } from './support/fixtures.ts';
import {
  openConversation,
  openSignedInBrowser,
  postListing,
  postMessage,
  signUp,
  uploadPhoto,
} from './support/students.ts';

const everyWidth = (format: string): RegExp =>
  new RegExp(`^${photoWidths.map((width) => `\\S+@${width}\\.${format} ${width}w`).join(', ')}$`);

/** Returns the width that the `sizes` attribute promises, divided by the rendered width of the photo. */
const getSizesRatio = (photo: Locator): Promise<number> =>
  photo.evaluate(async (image: HTMLImageElement) => {
    await image.decode();
    const { width, height } = image.getBoundingClientRect();
    const { naturalWidth, naturalHeight } = image;
    return naturalWidth / Math.max(width, (height * naturalWidth) / naturalHeight);
  });

test('an owner’s photos are offered in every width and the best format, and `sizes` matches the rendered width', async ({
  browser,
  quad,
}) => {
  const ada = await signUp(quad, 'Ada Seller', newAddress('ada'));
  const ben = await signUp(quad, 'Ben Buyer', newAddress('ben'));
  const photos = [await uploadPhoto(quad, ada), await uploadPhoto(quad, ada)];
  const listing = await postListing(quad, ada, 'Bicycle to borrow', { category: 'rentals', photos });
  await postMessage(quad, ben, await openConversation(quad, ben, listing), 'May I borrow it?');
  const screens = [
    { path: '/my-listings', count: 1 },
    { path: '/profile', count: 1 },
    { path: '/profile?tab=rentals', count: 1 },
    { path: `/post-ad?edit=${listing.id}`, count: 2 },
    { path: '/messages', count: 1 },
  ];
  for (const width of [360, 768, 1280]) {
    const context = await openSignedInBrowser(browser, quad, ada, { viewport: { width, height: 900 } });
    const page = await context.newPage();
    for (const { path, count } of screens) {
      await test.step(`${path} at ${width} px`, async () => {
        await page.goto(path);
        const shown = page.getByRole('main').locator('img[src*="/listing-photos/"]');
        await expect(shown).toHaveCount(count);
        for (const photo of await shown.all()) {
          const best = photo.locator('xpath=preceding-sibling::source');
          await expect(best).toHaveAttribute('type', 'image/avif');
          await expect(best).toHaveAttribute('srcset', everyWidth('avif'));
          await expect(best).toHaveAttribute('sizes', /rem/);
          await expect(photo).toHaveAttribute('srcset', everyWidth('webp'));
          await expect(photo).toHaveAttribute('width', '1600');
          await expect(photo).toHaveAttribute('height', '1200');
          await expect(photo).toHaveAttribute('loading', 'lazy');
          const ratio = await getSizesRatio(photo);
          expect(ratio).toBeGreaterThan(0.95);
          expect(ratio).toBeLessThan(1.1);
          const frame = photo.locator('xpath=ancestor::div[1]');
          await expect(frame).toHaveAttribute('style', /background-color: rgb/);
        }
      });
    }
    await context.close();
  }
});

test('swiping with one finger shows the next photo, with two fingers it does not', async ({
  browser,
  quad,
}) => {
  const ada = await signUp(quad, 'Ada Seller', newAddress('ada'));
  const photos = [await uploadPhoto(quad, ada), await uploadPhoto(quad, ada)];
  const { slug } = await postListing(quad, ada, 'Lamp with two photos', { photos });
  const context = await browser.newContext({ baseURL: quad.url, viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  await page.goto(`/listing/${slug}`, { waitUntil: 'networkidle' });
  const main = page.getByRole('button', { name: 'View photos full screen' });
  const shows = (photo: number) =>
    expect(page.getByRole('img', { name: `Lamp with two photos, photo ${photo} of 2` })).toBeVisible();
  const finger = (identifier: number, clientX: number) => ({ identifier, clientX, clientY: 300 });
  type Finger = ReturnType<typeof finger>;
  const touch = (kind: 'start' | 'move' | 'end', changed: Finger, touches: Finger[]) =>
    main.dispatchEvent(`touch${kind}`, { touches, changedTouches: [changed], targetTouches: touches });

  await shows(1);
  await test.step('one finger', async () => {
    await touch('start', finger(0, 300), [finger(0, 300)]);
    await touch('end', finger(0, 100), []);
    await shows(2);
  });

  await test.step('two fingers that are spread, whichever is lifted first', async () => {
    for (const [first, second] of [
      [finger(0, 60), finger(1, 300)],
      [finger(1, 300), finger(0, 60)],
    ] as const) {
      await touch('start', finger(0, 160), [finger(0, 160)]);
      await touch('start', finger(1, 200), [finger(0, 160), finger(1, 200)]);
      await touch('end', first, [second]);
      await shows(2);
      await touch('end', second, []);
      await shows(2);
    }
  });

  await test.step('a second finger beside the photo', async () => {
    await touch('start', finger(0, 300), [finger(0, 300)]);
    await touch('move', finger(0, 200), [finger(0, 200), finger(1, 20)]);
    await touch('end', finger(0, 100), []);
    await shows(2);
  });

  await test.step('one finger again', async () => {
    await touch('start', finger(0, 100), [finger(0, 100)]);
    await touch('end', finger(0, 300), []);
    await shows(1);
  });
  await context.close();
});
