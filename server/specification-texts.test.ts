import { afterAll, beforeAll, expect, test } from 'vitest';
import { emptyCategoryTexts, rentalTexts, serverTexts } from '#contract/specification-texts.ts';
import { loadPagesBuild } from '#server/pages/load-build.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { insertPhoto, submitListingForm } from '#server/testing/listings.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp({ replace: { pages: await loadPagesBuild() } });
});
afterAll(() => testApp.close());

test('a category without listings says so in the words of the specification', async () => {
  const pages = await Promise.all(
    ['game-day', 'merchandise', 'rentals', 'furniture'].map(
      async (slug) => (await testApp.server.inject({ url: `/category/${slug}` })).body,
    ),
  );
  for (const [index, text] of emptyCategoryTexts.entries()) expect(pages[index]).toContain(text);
});

test('a rental without a period says so in the words of the specification', async () => {
  await submitListingForm(testApp, await testApp.signIn(), { category: 'rentals' });
  const { body } = await testApp.server.inject({ url: '/category/rentals' });
  for (const text of rentalTexts) expect(body).toContain(`>${text}<`);
});

test('requests that the forms never send are refused in the words of the specification', async () => {
  const seller = await testApp.signIn();
  const photo = await insertPhoto(testApp, seller, 'desk.jpg');
  const { server } = testApp;
  const post = (url: string, payload: object) => server.inject({ method: 'POST', url, payload });
  const bodies = [
    (await post('/functions/v1/create-listing', {})).body,
    (await post('/auth/v1/signup', {})).body,
    ...(await Promise.all(
      [
        { gameDate: 'soon', category: 'game-day' },
        { category: 'free', price: 5 },
        { photos: Array.from({ length: 6 }, () => photo) },
      ].map(async (change) => JSON.stringify((await submitListingForm(testApp, seller, change)).body)),
    )),
  ].join('\n');
  for (const text of serverTexts) expect(bodies).toContain(text);
});
