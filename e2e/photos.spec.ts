import { expect, type Locator } from '@playwright/test';
import { photoCopyWidths } from '../contract/photos.ts';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import { openReadyPage, waitUntilReady } from './support/hydration.ts';
import {
  openConversation,
  openSignedInBrowser,
  postConversationMessage,
  postListing,
  signUp,
  uploadPhoto,
} from './support/students.ts';

const createSrcsetPattern = (format: string): RegExp =>
  new RegExp(`^${photoCopyWidths.map((width) => `\\S+@${width}\\.${format} ${width}w`).join(', ')}$`);

/**
 * Returns the width that the `sizes` attribute of a photo states, divided by the rendered width of the photo.
 */
const getSizesToRenderedWidthRatio = (photo: Locator): Promise<number> =>
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
  const ada = await signUp(quad, 'Ada Seller', createUniqueEmailAddress('ada'));
  const ben = await signUp(quad, 'Ben Buyer', createUniqueEmailAddress('ben'));
  const photos = [await uploadPhoto(quad, ada), await uploadPhoto(quad, ada)];
  const listing = await postListing(quad, ada, 'Bicycle to borrow', { category: 'rentals', photos });
  await postConversationMessage(quad, ben, await openConversation(quad, ben, listing), 'May I borrow it?');
  const screens = [
    { path: '/my-listings', count: 1 },
    // On phones the profile is a list of links.
    { path: '/profile', count: 1, widths: [768, 1280] },
    { path: '/profile?tab=rentals', count: 1 },
    { path: `/post-ad?edit=${listing.id}`, count: 2 },
    { path: '/messages', count: 1 },
  ];
  const context = await openSignedInBrowser(browser, quad, ada);
  const page = await context.newPage();
  for (const { path, count, widths = [360, 768, 1280] } of screens) {
    await openReadyPage(page, path);
    const shown = page.getByRole('main').locator('img[src*="/listing-photos/"]');
    await expect(shown).toHaveCount(count);
    for (const photo of await shown.all()) {
      const best = photo.locator('xpath=preceding-sibling::source');
      await expect(best).toHaveAttribute('type', 'image/avif');
      await expect(best).toHaveAttribute('srcset', createSrcsetPattern('avif'));
      await expect(best).toHaveAttribute('sizes', /rem/);
      await expect(photo).toHaveAttribute('srcset', createSrcsetPattern('webp'));
      await expect(photo).toHaveAttribute('width', '1600');
      await expect(photo).toHaveAttribute('height', '1200');
      await expect(photo).toHaveAttribute('loading', 'lazy');
      const frame = photo.locator('xpath=ancestor::div[1]');
      await expect(frame).toHaveAttribute('style', /background-color: rgb/);
    }
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      await waitUntilReady(page);
      // On a phone, only the list of conversations or an open conversation is visible.
      for (const photo of await shown.filter({ visible: true }).all()) {
        // The browser chooses the source for the new width asynchronously.
        const ratio = () => getSizesToRenderedWidthRatio(photo);
        await expect.poll(ratio, `${path} at ${width} px`).toBeGreaterThan(0.95);
        await expect.poll(ratio, `${path} at ${width} px`).toBeLessThan(1.1);
      }
    }
  }
  await context.close();
});
