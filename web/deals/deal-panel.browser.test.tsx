import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { reviewPeriodSeconds } from '#contract/reviews.ts';
import { createDeal, createHandover } from '#contract/testing.ts';
import { createConversation } from '#web/conversations/testing.ts';
import { createUnavailableError } from '#web/lib/api-error.ts';
import { queryClient } from '#web/lib/query-client.ts';

const requestMock = vi.hoisted(() => vi.fn());
vi.mock('#web/lib/api.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof import('#web/lib/api.ts')>()),
  request: requestMock,
}));
vi.mock('#web/lib/use-campus.ts', async () => {
  const { defaultCampus } = await import('#contract/campus.ts');
  return { useCampus: () => defaultCampus };
});

const { DealPanel } = await import('./deal-panel.tsx');

const conversation = createConversation('lamp');
const open = () =>
  render(
    <MemoryRouter>
      <DealPanel conversation={conversation} ownId="me" otherName="Ben" newestEvent={undefined} />
    </MemoryRouter>,
  );
const failure = page.getByText('Failed to load the deal');

beforeEach(() => {
  queryClient.clear();
  requestMock.mockReset();
});
afterEach(() => {
  vi.restoreAllMocks();
});

test('says that the deal could not be loaded, but not while the device is offline', async () => {
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  requestMock.mockRejectedValue(createUnavailableError());
  await open();
  await expect.poll(() => queryClient.getQueryCache().getAll()[0]?.state.status).toBe('error');
  await expect.element(failure).not.toBeInTheDocument();
  online.mockReturnValue(true);
  window.dispatchEvent(new Event('online'));
  await expect.element(failure).toBeVisible();
});

test('reports that the server failed to return the deal even while the device is offline', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  requestMock.mockRejectedValue(createUnavailableError(502));
  await open();
  await expect.element(failure).toBeVisible();
});

test('the text about a hold mentions that the seller marked the item as sold', async () => {
  requestMock.mockResolvedValue({
    items: [createDeal({ state: 'held', buyer_id: 'me', marked_as: 'sold' })],
  });
  await open();
  await expect
    .element(page.getByText('On hold for you: $110, although Ben marked it as sold.', { exact: true }))
    .toBeVisible();
});

test('says who is at the meeting spot and who is late', async () => {
  const deal = createDeal({
    state: 'held',
    buyer_id: 'me',
    other: { id: 'ben', name: 'Ben', avatar_url: null, usc_verified: false },
    transitions: ['received', 'cancel'],
    handover: createHandover({
      time: new Date().toISOString(),
      agreed: true,
      arrivals: { buyer: 'late', seller: 'here' },
    }),
  });
  requestMock.mockResolvedValue({ items: [deal] });
  await open();
  await expect.element(page.getByText('Ben is here. You’re running 10 minutes late.')).toBeVisible();
  const here = {
    ...deal,
    handover: createHandover({ ...deal.handover, arrivals: { buyer: 'here', seller: 'late' } }),
  };
  requestMock.mockResolvedValue({ items: [here] });
  await queryClient.invalidateQueries();
  await expect.element(page.getByText('Ben is running 10 minutes late. You’re here.')).toBeVisible();
});

test('says once that the listing of a hold that ends soon is being checked', async () => {
  requestMock.mockResolvedValue({
    items: [
      createDeal({
        state: 'held',
        buyer_id: 'me',
        transitions: ['cancel'],
        deadline_at: new Date(Date.now() + 60_000).toISOString(),
      }),
    ],
  });
  await open();
  await expect.element(page.getByText('The hold ends soon')).toBeVisible();
  expect(page.getByText('The listing is being checked.', { exact: false }).elements()).toHaveLength(1);
});

test('below the newest deal a reported no-show can still be contested', async () => {
  const noShow = createDeal({
    id: 'old',
    conversation_id: conversation.id,
    state: 'no_show',
    buyer_id: 'me',
    transitions: ['contest'],
  });
  requestMock.mockResolvedValue({ items: [createDeal({ id: 'new', buyer_id: 'me', price: 90 }), noShow] });
  await open();
  const earlier = page.getByRole('region', { name: 'Earlier deal' });
  await expect.element(earlier.getByText('If you were there, say so until', { exact: false })).toBeVisible();
  // The screen changes with the response to the step, before the deals are loaded again.
  requestMock.mockImplementation(async ({ path }: { path: string }) =>
    path.endsWith('/transitions') ? { ...noShow, transitions: [] } : new Promise(() => {}),
  );
  await earlier.getByRole('button', { name: 'I was there' }).click();
  await expect.element(earlier).not.toBeInTheDocument();
  await expect.element(page.getByText('You offer $90.', { exact: true })).toBeVisible();
  expect(document.activeElement).not.toBe(document.body);
});

test('below the newest deal an earlier one can be reviewed until its review period ends', async () => {
  const completeBefore = (id: string, seconds: number) =>
    createDeal({
      id,
      kind: 'rental',
      state: 'completed',
      turn: null,
      buyer_id: 'me',
      updated_at: new Date(Date.now() - seconds * 1000).toISOString(),
    });
  requestMock.mockImplementation(async ({ path }: { path: string }) =>
    path.endsWith('/review')
      ? { own: null, other: null, can_review: true, closes_at: null }
      : {
          items: [
            createDeal({ id: 'new', kind: 'rental', buyer_id: 'me' }),
            completeBefore('recent', reviewPeriodSeconds - 60),
            completeBefore('old', reviewPeriodSeconds + 60),
          ],
        },
  );
  await open();
  const earlier = page.getByRole('region', { name: 'Earlier deal' });
  await expect.element(earlier.getByRole('button', { name: 'Write a review' })).toBeVisible();
  expect(earlier.elements()).toHaveLength(1);
});
