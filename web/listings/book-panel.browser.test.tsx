import { createRoutesStub } from 'react-router';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import type { ListingBook } from '#contract/books.ts';
import { calls } from '#contract/calls.ts';
import { createTestApi, refuse } from '#web/testing/api.ts';

vi.mock('#web/lib/use-campus.ts', async () => {
  const { defaultCampus } = await import('#contract/campus.ts');
  return { useCampus: () => defaultCampus };
});
const { BookPanel } = await import('./book-panel.tsx');

const api = createTestApi();

const nothing: ListingBook = { isbn: '9781285740621', copies: null, courses: [], course_edition: null };
const openPanel = () => {
  const Stub = createRoutesStub([{ path: '/', Component: () => <BookPanel slug="calculus" /> }]);
  return render(<Stub />);
};

test('shows prices and conditions of other copies, the courses, and that a course uses another edition', async () => {
  const book = {
    isbn: '9781337613927',
    title: 'Calculus',
    authors: null,
    edition: '9th',
    published_year: 2020,
  };
  api.answer(calls.getListingBook, {
    ...nothing,
    copies: {
      count: 3,
      lowest_price: 40,
      highest_price: 55.5,
      conditions: [
        { condition: 'like-new', count: 1 },
        { condition: 'good', count: 2 },
      ],
    },
    courses: [
      { code: 'MATH 125', title: 'Calculus I', term: null },
      { code: 'MATH 126', title: null, term: null },
    ],
    course_edition: { course: 'MATH 125', book },
  });
  await openPanel();
  await expect.element(page.getByRole('heading', { name: 'Other copies of this book' })).toBeVisible();
  await expect.element(page.getByText('3 for sale, $40 to $55.50')).toBeVisible();
  await expect.element(page.getByText('1 Like New, 2 Good')).toBeVisible();
  await expect.element(page.getByText('MATH 125 uses the 9th edition.')).toBeVisible();
  const readPath = (name: string) => page.getByRole('link', { name }).element().getAttribute('href');
  expect(readPath('See all copies')).toBe('/search?q=9781285740621');
  expect(readPath('Find that edition')).toBe('/search?q=9781337613927');
  expect(readPath('MATH 126')).toBe('/course/MATH-126');
});

test.each([
  ['there is nothing to show', nothing],
  ['it cannot be loaded', () => Promise.reject(refuse('unavailable'))],
] as const)('shows nothing when %s', async (_, response) => {
  api.answer(calls.getListingBook, response);
  const { container } = await openPanel();
  await expect.poll(() => api.listRequests(calls.getListingBook)).toHaveLength(1);
  expect(container.textContent).toBe('');
});
