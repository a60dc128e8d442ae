import { createMemoryRouter, RouterProvider, useLocation } from 'react-router';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import type { PublicReview, ReviewPage } from '#contract/reviews.ts';

const loadMock = vi.hoisted(() => vi.fn());
vi.mock('./load-reviews.ts', () => ({ loadReviews: loadMock }));
vi.mock('#web/lib/use-campus.ts', async () => {
  const { defaultCampus } = await import('#contract/campus.ts');
  return { useCampus: () => defaultCampus };
});

const { ReviewList } = await import('./review-list.tsx');

const createReview = (text: string): PublicReview => ({
  id: text,
  rating: 5,
  tags: [],
  text,
  published_at: '2026-03-02T18:00:00.000Z',
  author: null,
});
const createReviewPage = (texts: string[], cursor: string | null = null): ReviewPage => ({
  items: texts.map(createReview),
  next_cursor: cursor,
});

/** Renders the list of the page that `pages` has for the URL. */
const open = async (pages: Record<string, ReviewPage>) => {
  const Screen = () => {
    const first = pages[useLocation().pathname];
    return first && <ReviewList userId="ben" first={first} onReport={vi.fn()} />;
  };
  const router = createMemoryRouter([{ path: '*', element: <Screen /> }], { initialEntries: ['/before'] });
  await render(<RouterProvider router={router} />);
  return router;
};
const more = page.getByRole('button', { name: 'Show more reviews' });
const listTexts = () =>
  page
    .getByRole('listitem')
    .elements()
    .map((it) => it.id.replace('review-', ''));

test('a new first page replaces the list, and a pending page of the old list is dropped', async () => {
  let finish = (_page: ReviewPage): void => {};
  loadMock.mockImplementationOnce(() => new Promise<ReviewPage>((resolve) => (finish = resolve)));
  const router = await open({
    '/before': createReviewPage(['d', 'c', 'b'], 'after b'),
    '/after': createReviewPage(['f', 'e', 'd', 'c'], 'after c'),
  });
  await more.click();
  await more.click();
  await expect.poll(() => loadMock.mock.calls).toEqual([['ben', 'after b']]);
  await router.navigate('/after');
  await expect.poll(listTexts).toEqual(['f', 'e', 'd', 'c']);
  await expect.element(more).not.toHaveAttribute('aria-busy', 'true');
  finish(createReviewPage(['a']));

  loadMock.mockResolvedValueOnce(createReviewPage(['c', 'b', 'a']));
  await more.click();
  await expect.poll(listTexts).toEqual(['f', 'e', 'd', 'c', 'b', 'a']);
  await expect.poll(() => document.activeElement?.textContent).toContain('b');
  expect(loadMock.mock.lastCall).toEqual(['ben', 'after c']);
  await expect.element(more).not.toBeInTheDocument();
});
