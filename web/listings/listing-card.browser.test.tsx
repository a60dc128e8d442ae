import { createRoutesStub } from 'react-router';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { getRecorded } from '#web/testing/recorded.ts';
import { CardGrid, CardGridItem } from '#web/ui/card-grid.tsx';
import { ListingCardSkeleton } from '#web/ui/skeleton.tsx';
import { ListingCard } from './listing-card.tsx';

test.each([360, 390, 768, 1280])(
  'at %d px the 4:5 photo takes at least 60 %% of a card, and its placeholder has the same size',
  async (width) => {
    await page.viewport(width, 844);
    const [listing] = getRecorded('listListings').items;
    if (!listing) throw new Error('no listing');
    const Stub = createRoutesStub([
      {
        path: '/',
        Component: () => (
          <>
            {[<ListingCard key="card" listing={listing} />, <ListingCardSkeleton key="skeleton" />].map(
              (card) => (
                <CardGrid key={card.key}>
                  <CardGridItem index={0}>{card}</CardGridItem>
                </CardGrid>
              ),
            )}
          </>
        ),
      },
    ]);
    await render(<Stub />);
    await expect.element(page.getByRole('heading', { level: 3 })).toBeVisible();
    const [card, skeleton] = [...document.querySelectorAll('li > div')].map((it) =>
      it.getBoundingClientRect(),
    );
    const photo = document.querySelector('.aspect-4\\/5')?.getBoundingClientRect();
    expect((photo?.height ?? 0) / (photo?.width ?? 1)).toBeCloseTo(1.25, 1);
    expect((photo?.height ?? 0) / (card?.height ?? 1)).toBeGreaterThanOrEqual(0.6);
    expect(Math.abs((skeleton?.height ?? 0) - (card?.height ?? 0))).toBeLessThanOrEqual(1);
  },
);

test('the card of an item that is drawn says when the draw closes', async () => {
  await page.viewport(360, 844);
  const [listing] = getRecorded('listListings').items;
  if (!listing) throw new Error('no listing');
  const drawn = { ...listing, draw: { closes_at: '2026-03-08T01:30:00.000Z' } };
  const Stub = createRoutesStub([{ path: '/', Component: () => <ListingCard listing={drawn} /> }]);
  await render(<Stub />);
  await expect.element(page.getByText('Draw Sat 5:30 PM · ')).toBeVisible();
});
