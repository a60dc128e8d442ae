import { expect, type Page } from '@playwright/test';
import { storeBooks, storeCourses } from '#server/features/books/public.ts';
import { runInTransaction } from '#server/platform/postgres/database.ts';
import { provideCamera } from './support/codes.ts';
import { updateTestDatabase } from './support/database.ts';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import { matchListingsWithSearches } from './support/matching.ts';
import { openSignedInBrowser, postListing, signUp } from './support/students.ts';

const isbn = '9780262046305';
const courses = `code,title,term,ISBNs\nCSCI 280,Design of Algorithms,Fall,${isbn}\nCSCI 281,Proofs,Fall,\n`;
const books = `ISBN\ttitle\tauthors\tedition\tyear\n${isbn}\tAlgorithms for Everybody\tAda Author\t4th edition\t2022\n`;

const getField = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

test('a textbook is posted by its barcode and course, and found by somebody who takes that course', async ({
  browser,
  quad,
}) => {
  await updateTestDatabase(quad, (sql) =>
    runInTransaction(sql, async (tx) => {
      await storeCourses(tx, courses);
      await storeBooks(tx, books);
    }),
  );
  const seller = await signUp(quad, 'Sam Seller', createUniqueEmailAddress('sam'));
  const buyer = await signUp(quad, 'Bea Buyer', createUniqueEmailAddress('bea'));
  const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } as const;
  const sellerContext = await openSignedInBrowser(browser, quad, seller, phone);
  await provideCamera(sellerContext, isbn, 'EAN13');
  const sellerPage = await sellerContext.newPage();
  const buyerPage = await (await openSignedInBrowser(browser, quad, buyer)).newPage();

  await test.step('the camera reads the ISBN, which fills in the form', async () => {
    await sellerPage.goto('/post-ad');
    await sellerPage.getByLabel('Category').selectOption('textbooks');
    await sellerPage.getByRole('button', { name: 'Scan the barcode' }).tap();
    await expect(getField(sellerPage, 'ISBN')).toHaveValue(isbn);
    await expect(sellerPage.getByRole('dialog')).toHaveCount(0);
    await expect(sellerPage.getByText('Details filled in from the catalog.')).toBeVisible();
    await expect(getField(sellerPage, 'Title')).toHaveValue('Algorithms for Everybody');
    await expect(getField(sellerPage, 'Authors')).toHaveValue('Ada Author');
    await expect(getField(sellerPage, 'Year')).toHaveValue('2022');
  });

  await test.step('the course is suggested as people spell it, and the book is posted', async () => {
    await getField(sellerPage, 'Course').fill('csci28');
    const suggestions = sellerPage.getByRole('list', { name: 'Suggested courses' });
    await expect(suggestions.getByRole('button')).toHaveCount(2);
    await suggestions.getByRole('button', { name: /^CSCI 280/ }).tap();
    await expect(getField(sellerPage, 'Course')).toHaveValue('CSCI 280');
    await sellerPage.getByRole('radio', { name: 'Good', exact: true }).check();
    await getField(sellerPage, 'Price').fill('35');
    await getField(sellerPage, 'Description').fill('Read twice, with a few pencil notes in the margins.');
    await getField(sellerPage, 'Location').fill('Parkside');
    await sellerPage.getByRole('button', { name: 'Use my email' }).tap();
    await sellerPage.getByRole('button', { name: 'Post Ad', exact: true }).first().tap();
    await expect(sellerPage).toHaveURL(/\/listing\//);
  });

  await test.step('the page of the course shows the book and saves the search', async () => {
    await buyerPage.goto('/course/csci280');
    await expect(buyerPage).toHaveURL(/\/course\/CSCI-280$/);
    await expect(buyerPage.getByRole('heading', { level: 1 })).toHaveText('CSCI 280');
    await buyerPage.getByRole('button', { name: 'Save search' }).click();
    await expect(buyerPage.getByRole('button', { name: 'Saved search · Edit' })).toBeVisible();
    await buyerPage.getByRole('link', { name: 'Algorithms for Everybody' }).click();
    await expect(buyerPage.getByRole('listitem').filter({ hasText: 'Course' })).toContainText('CSCI 280');
    await expect(buyerPage.getByText('978-0-262-04630-5')).toBeVisible();
  });

  await test.step('the next book for the course is new, and that of another course is not', async () => {
    const book = { category: 'textbooks', price: 20 } as const;
    await postListing(quad, seller, 'Algorithms with a torn cover', { ...book, course: 'csci-280' });
    await postListing(quad, seller, 'Proofs and how to read them', { ...book, course: 'CSCI 281' });
    await matchListingsWithSearches(quad);
    await buyerPage.goto('/course/CSCI-280');
    await expect(buyerPage.getByText('1 new since your last visit')).toBeVisible();
    const cards = buyerPage
      .getByRole('main')
      .getByRole('listitem')
      .filter({ has: buyerPage.getByRole('heading') });
    await expect(cards).toHaveCount(2);
    await expect(cards.filter({ hasText: 'Algorithms with a torn cover' })).toContainText('New');
  });
});
