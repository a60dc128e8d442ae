import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { calls } from '#contract/calls.ts';
import { defaultCampus } from '#contract/campus.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { createTestApi, refuse } from '#web/testing/api.ts';
import { ListingFieldsForm } from './listing-fields-form.tsx';
import type { ListingFormValues } from './submission.ts';

vi.mock('#web/lib/use-campus.ts', () => ({ useCampus: () => defaultCampus }));

const api = createTestApi();
api.mayAnswer(calls.findSalePrices, { range: null });
beforeEach(() => queryClient.clear());

const openForm = async (values: Partial<ListingFormValues> = {}) => {
  await render(<ListingFieldsForm values={{ category: 'textbooks', ...values }} />);
};
const field = (label: string) => page.getByRole('textbox', { name: label, exact: false });
const isbn = field('ISBN');
const readFilled = () =>
  ['Title', 'Authors', 'Edition', 'Year'].map((label) => (field(label).element() as HTMLInputElement).value);

const books = {
  '9781285740621': {
    title: 'Calculus',
    authors: 'James Stewart',
    edition: '8th edition',
    published_year: 2015,
  },
  '9780306406157': { title: 'Signs and Systems', authors: null, edition: null, published_year: null },
};
const answerBooks = (source: 'catalog' | 'listing') =>
  api.answer(calls.getBook, ({ params }) => {
    const book = books[params.isbn as keyof typeof books];
    return { book: book ? { isbn: params.isbn ?? '', source, ...book } : null };
  });

test.each([
  ['catalog', 'Details filled in from the catalog.'],
  ['listing', 'Details filled in from an earlier listing.'],
] as const)('an ISBN fills in what the %s knows, and says so', async (source, sentence) => {
  answerBooks(source);
  await openForm();
  await isbn.fill('ISBN 1-285-74062-9');
  await expect.element(page.getByText(sentence, { exact: false })).toBeVisible();
  expect(readFilled()).toEqual(['Calculus, 8th edition', 'James Stewart', '8th edition', '2015']);
});

test('nothing that a person typed is overwritten, and another ISBN replaces only what was filled in', async () => {
  answerBooks('catalog');
  await openForm({ title: 'My favorite calculus book' });
  await isbn.fill('9781285740621');
  await expect.element(field('Authors')).toHaveValue('James Stewart');
  await field('Edition').fill('8e, international');
  await isbn.fill('9780306406157');
  await expect.element(field('Authors')).toHaveValue('');
  expect(readFilled()).toEqual(['My favorite calculus book', '', '8e, international', '']);
});

test('an unknown book, a wrong digit and a failed request leave the fields as they are', async () => {
  answerBooks('catalog');
  await openForm({ title: 'A book about birds' });
  await isbn.fill('9781861972712');
  await isbn.fill('9781285740622');
  await expect.poll(() => api.listRequests(calls.getBook)).toHaveLength(1);
  api.answer(calls.getBook, () => {
    throw refuse('unavailable');
  });
  await isbn.fill('9780262033848');
  await expect.poll(() => api.listRequests(calls.getBook)).toHaveLength(2);
  expect(readFilled()).toEqual(['A book about birds', '', '', '']);
  await expect.element(page.getByText('Details filled in', { exact: false })).not.toBeInTheDocument();
});

test('the details of a stored listing are not asked for again', async () => {
  answerBooks('catalog');
  await openForm({ isbn: '9781285740621', title: 'Calculus, eighth edition' });
  await field('Authors').fill('Stewart');
  expect(api.listRequests(calls.getBook)).toEqual([]);
});

test('courses are suggested while typing, and one tap chooses one', async () => {
  api.answer(calls.suggestCourses, ({ query }) => ({
    items: query.q === 'math1' ? [{ code: 'MATH 125', title: 'Calculus I', term: null }] : [],
  }));
  await openForm();
  await field('Course').fill('math1');
  await page.getByRole('button', { name: 'MATH 125 Calculus I' }).click();
  await expect.element(field('Course')).toHaveValue('MATH 125');
  await expect.element(field('Course')).toHaveFocus();
  await expect.element(page.getByRole('list', { name: 'Suggested courses' })).not.toBeInTheDocument();
});
