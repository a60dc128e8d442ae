import { expect } from '@playwright/test';
import { newAddress, test } from './support/house.ts';
import { postListing, signUp, uploadPhoto } from './support/students.ts';

test('a swipe of one finger shows the next photo, two fingers leave it as it is', async ({
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
