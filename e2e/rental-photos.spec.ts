import { type Browser, expect, type Page } from '@playwright/test';
import { defaultCampus, toCampusDay } from '../contract/campus.ts';
import { addDays } from '../contract/days.ts';
import type { Deal } from '../contract/deals.ts';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import { createPhotoFile } from './support/photos.ts';
import type { QuadServer } from './support/quad-server.ts';
import { callApi, openSignedInBrowser, postListing, type Student, signUp } from './support/students.ts';

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } as const;

const openThread = async (
  browser: Browser,
  quad: QuadServer,
  student: Student,
  { conversation_id: id }: Deal,
): Promise<Page> => {
  const page = await (await openSignedInBrowser(browser, quad, student, phone)).newPage();
  await page.goto(`/messages?c=${id}`);
  return page;
};

const getDeal = (page: Page) => page.getByRole('region', { name: 'Deal', exact: true });
const getDialog = (page: Page) => page.getByRole('dialog', { name: 'Condition photos' });
const getStep = (page: Page, name: string) => getDialog(page).getByRole('region', { name });

const openPhotos = async (page: Page): Promise<void> => {
  await getDeal(page).getByRole('button', { name: 'Condition photos' }).tap();
  await expect(getDialog(page)).toBeVisible();
};

const addPhotos = async (page: Page, step: string, names: readonly string[]): Promise<void> => {
  const files = await Promise.all(
    names.map((name, index) => createPhotoFile(name, { r: 60 + 60 * index, g: 90, b: 140 })),
  );
  await getStep(page, step).getByLabel('Choose photos').setInputFiles(files);
};

test('a rental with photos goes out, comes back and goes out again to the next person', async ({
  browser,
  quad,
}) => {
  const owner = await signUp(quad, 'Olga Owner', createUniqueEmailAddress('olga'));
  const renter = await signUp(quad, 'Rob Renter', createUniqueEmailAddress('rob'));
  const next = await signUp(quad, 'Nia Next', createUniqueEmailAddress('nia'));
  const { id: listingId } = await postListing(quad, owner, 'Camera with two lenses', {
    category: 'rentals',
    price: 12,
  });
  const today = toCampusDay(defaultCampus, new Date());
  const request = (student: Student, first: number, last: number): Promise<Deal> =>
    callApi(quad, '/rest/v1/deals', {
      token: student.token,
      body: {
        client_id: crypto.randomUUID(),
        listing_id: listingId,
        first_day: addDays(today, first),
        last_day: addDays(today, last),
      },
    });
  const take = (student: Student, { id }: Deal, transition: string): Promise<Deal> =>
    callApi(quad, `/rest/v1/deals/${id}/transitions`, {
      token: student.token,
      body: { client_id: crypto.randomUUID(), transition },
    });
  const [first, second] = [await request(renter, 0, 0), await request(next, 1, 2)];
  for (const deal of [first, second]) await take(owner, deal, 'accept');

  const ownerPage = await openThread(browser, quad, owner, first);
  const renterPage = await openThread(browser, quad, renter, first);
  await getDeal(ownerPage).getByRole('button', { name: 'I handed it over' }).tap();
  const handover = ownerPage.getByRole('dialog', { name: 'Did you hand it over?' });
  await handover.getByRole('button', { name: 'Condition photos' }).tap();
  await expect(getStep(ownerPage, 'At return').getByRole('button', { name: /^Add photos/ })).toHaveCount(0);
  await addPhotos(ownerPage, 'At pick-up', ['front.jpg', 'back.jpg']);
  await expect(
    getStep(ownerPage, 'At pick-up').getByRole('button', { name: /^At pick-up, photo \d of 2$/ }),
  ).toHaveCount(2);
  await ownerPage.keyboard.press('Escape');
  const thread = renterPage.getByRole('region', { name: 'Messages with Olga Owner' });
  await expect(thread.getByText('Photos at pick-up', { exact: true })).toBeVisible();
  // The question is still there, although there are photos now.
  await handover.getByRole('button', { name: 'I handed it over' }).tap();
  await getDeal(renterPage).getByRole('button', { name: 'I have it' }).tap();
  const question = renterPage.getByRole('dialog', { name: 'Do you have it?' });
  await expect(question).toContainText('If it has scratches, add condition photos today.');
  await question.getByRole('button', { name: 'I have it' }).tap();

  // The return on the same day: photos stand side by side, and one sent by mistake is removed.
  await openPhotos(renterPage);
  await addPhotos(renterPage, 'At return', ['scratch.jpg']);
  await expect(
    getStep(renterPage, 'At return').getByRole('button', { name: 'At return, photo 1 of 1' }),
  ).toBeVisible();
  await getStep(renterPage, 'At return').getByRole('button', { name: 'Remove photos' }).tap();
  await renterPage
    .getByRole('dialog', { name: 'Remove these photos?' })
    .getByText('Remove', { exact: true })
    .tap();
  await expect(getStep(renterPage, 'At return')).toContainText('No photos yet');
  await renterPage.context().setOffline(true);
  await addPhotos(renterPage, 'At return', ['return.jpg']);
  await expect(getStep(renterPage, 'At return')).toContainText('Waiting for a connection');
  await renterPage.context().setOffline(false);
  const findTop = async (step: string) =>
    (
      await getStep(renterPage, step)
        .getByRole('button', { name: /photo 1 of/ })
        .boundingBox()
    )?.y;
  await expect.poll(async () => (await findTop('At return')) === (await findTop('At pick-up'))).toBe(true);
  await getStep(renterPage, 'At return').getByRole('button', { name: 'At return, photo 1 of 1' }).tap();
  const viewer = renterPage.getByRole('dialog', { name: 'At return, photo 1 of 1' });
  await expect(viewer.getByRole('status').filter({ hasText: 'Photo 3 of 3' })).toBeVisible();
  await viewer.getByRole('button', { name: 'Previous photo' }).tap();
  await expect(viewer.getByRole('img', { name: 'At pick-up, photo 2 of 2' })).toBeVisible();
  await renterPage.keyboard.press('Escape');
  await expect(viewer).toBeHidden();
  await renterPage.keyboard.press('Escape');
  await getDeal(renterPage).getByRole('button', { name: 'Returned' }).tap();
  await openPhotos(ownerPage);
  await expect(getStep(ownerPage, 'At return').getByRole('button', { name: /photo 1 of 1$/ })).toBeVisible();
  await ownerPage.keyboard.press('Escape');
  await getDeal(ownerPage).getByRole('button', { name: 'It’s back' }).tap();
  await ownerPage
    .getByRole('dialog', { name: 'Is it back?' })
    .getByRole('button', { name: 'It’s back' })
    .tap();

  // The photos stay, and nobody can add or remove any.
  await openPhotos(ownerPage);
  await expect(getDialog(ownerPage).getByRole('button', { name: /^At / })).toHaveCount(3);
  await expect(getDialog(ownerPage).getByRole('button', { name: /^(Add|Remove) photos/ })).toHaveCount(0);

  // The next person picks it up a few hours later, the day before the first day.
  const nextPage = await openThread(browser, quad, next, second);
  await getDeal(nextPage).getByRole('button', { name: 'I have it' }).tap();
  const nextQuestion = nextPage.getByRole('dialog', { name: 'Do you have it?' });
  await nextQuestion.getByRole('button', { name: 'Condition photos' }).tap();
  await expect(getDialog(nextPage).getByRole('button', { name: /^At / })).toHaveCount(0);
  await addPhotos(nextPage, 'At pick-up', ['mine.jpg']);
  await expect(getStep(nextPage, 'At pick-up').getByRole('button', { name: /photo 1 of 1$/ })).toBeVisible();
  await nextPage.keyboard.press('Escape');
  await nextQuestion.getByRole('button', { name: 'I have it' }).tap();
  await expect(getDeal(nextPage)).toContainText('You have it until');
  await Promise.all([ownerPage, renterPage, nextPage].map((page) => page.context().close()));
});
