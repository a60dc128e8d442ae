import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
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
const openDetails = () => page.getByRole('button', { name: 'About this deal' }).click();
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
  await openDetails();
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
  await openDetails();
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
  await expect.element(earlier.getByRole('button', { name: '5 stars' })).toBeVisible();
  expect(earlier.elements()).toHaveLength(1);
});

const inMinutes = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString();
const ben = { id: 'ben', name: 'Ben', avatar_url: null, usc_verified: false };
const spot = { place: 'Doheny Memorial Library', landmark: 'Front steps, facing Alumni Park' };
const held = (change: Parameters<typeof createDeal>[0] = {}) =>
  createDeal({
    state: 'held',
    turn: null,
    buyer_id: 'me',
    other: ben,
    deadline_at: inMinutes(40 * 60),
    transitions: ['propose_handover', 'received', 'cancel'],
    ...change,
  });
const agreed = (minutes: number) => createHandover({ ...spot, time: inMinutes(minutes), agreed: true });
const proposal = {
  spot_id: null,
  ...spot,
  times: [inMinutes(300), inMinutes(900), inMinutes(1500)],
  by: 'seller' as const,
};

test('says when and where to meet, with the price and the landmark, and in one time format', async () => {
  requestMock.mockResolvedValue({ items: [held({ price: 30, handover: agreed(1) })] });
  await open();
  const panel = page.getByRole('region', { name: 'Deal' });
  await expect
    .element(panel.getByText(/^(Today|Tomorrow) \d+:\d\d [AP]M · Doheny Memorial Library$/))
    .toBeVisible();
  await expect
    .element(panel.getByText('Front steps, facing Alumni Park · $30 · held for you', { exact: false }))
    .toBeVisible();
  expect(panel.element().textContent).not.toContain(' left');
  const info = page.getByRole('button', { name: 'About this deal' });
  await expect.element(info).toHaveAttribute('aria-expanded', 'false');
  await expect.element(page.getByText(/^You meet/)).not.toBeVisible();
  await info.click();
  await expect.element(info).toHaveAttribute('aria-expanded', 'true');
  await expect.element(page.getByText(/^You meet/)).toBeVisible();
});

test('a text that is too long for the panel can be read behind the button', async () => {
  await page.viewport(360, 640);
  requestMock.mockResolvedValue({
    items: [
      createDeal({
        kind: 'gift',
        buyer_id: 'me',
        turn: 'seller',
        position: 2,
        transitions: ['withdraw'],
      }),
    ],
  });
  await open();
  const line = page.getByText('Number 2 in line. Ben answers the first in line.').element().closest('p');
  expect(line?.scrollWidth).toBeGreaterThan(line?.clientWidth ?? 0);
  await openDetails();
  await expect.poll(() => line && line.scrollWidth <= line.clientWidth).toBe(true);
  await page.viewport(1280, 800);
});

test('says until when to confirm a handover or to object', async () => {
  requestMock.mockResolvedValue({
    items: [createDeal({ state: 'handed_over', buyer_id: 'me', deadline_at: '2026-11-30T18:00:00.000Z' })],
  });
  await open();
  await expect
    .poll(() => page.getByRole('region', { name: 'Deal' }).element().textContent)
    .toMatch(/Confirm it, or say that it didn’t happen · until Mon, Nov 30, 10:00\sAM/);
});

test('a completed deal says all in one line, which is left while somebody types', async () => {
  await page.viewport(360, 640);
  const { title } = conversation.listing;
  const completed = createDeal({ title, state: 'completed', turn: null, buyer_id: 'me', price: 30 });
  requestMock.mockImplementation(async ({ path }: { path: string }) =>
    path.endsWith('/review')
      ? { own: null, other: null, can_review: true, closes_at: null }
      : { items: [completed] },
  );
  await render(
    <MemoryRouter>
      <DealPanel conversation={conversation} ownId="me" otherName="Ben" newestEvent={undefined} />
      <textarea aria-label="Message" />
    </MemoryRouter>,
  );
  const panel = page.getByRole('region', { name: 'Deal' });
  await expect.element(panel.getByRole('button', { name: '5 stars' })).toBeVisible();
  await expect.element(panel.getByText('Done. You paid $30.')).toBeVisible();
  await expect.element(panel.getByRole('button', { name: 'About this deal' })).not.toBeInTheDocument();
  await page.getByRole('textbox', { name: 'Message' }).click();
  await expect.poll(() => panel.element().getBoundingClientRect().height).toBeLessThanOrEqual(56);
  await page.viewport(1280, 800);
});

test('when the other party is there, the buyer’s primary button is "I have it"', async () => {
  const handover = { ...agreed(0), arrivals: { buyer: 'here' as const, seller: 'here' as const } };
  requestMock.mockResolvedValue({ items: [held({ handover, transitions: ['received', 'cancel'] })] });
  await open();
  await expect.element(page.getByText('Ben is here. You’re here.')).toBeVisible();
  expect(page.getByRole('button', { name: 'I have it' }).element().className).toContain('bg-brand ');
  await expect.element(page.getByRole('button', { name: 'I’m here' })).not.toBeInTheDocument();
});

describe('takes at most a quarter of the thread on a small phone, and one line while somebody types', () => {
  test.each([
    [
      'an offer',
      createDeal({ seller_id: 'me', buyer_id: 'ben', transitions: ['accept', 'counter', 'decline'] }),
    ],
    [
      'a waiting claim',
      createDeal({ buyer_id: 'me', kind: 'gift', waiting: true, transitions: ['withdraw'] }),
    ],
    ['a hold', held()],
    [
      'a hold that ends soon',
      held({ deadline_at: inMinutes(60), transitions: ['agreed_in_chat', 'keep_hold', 'cancel'] }),
    ],
    [
      'suggested times',
      held({
        handover: createHandover({ ...spot, proposal }),
        transitions: ['agree_handover', 'propose_handover', 'cancel'],
      }),
    ],
    [
      'own suggested times',
      held({ handover: createHandover({ ...spot, proposal: { ...proposal, by: 'buyer' } }) }),
    ],
    ['an agreed time', held({ handover: agreed(3000) })],
    [
      'the time to meet',
      held({ handover: agreed(10), transitions: ['here', 'running_late', 'received', 'cancel'] }),
    ],
    ['arrivals', held({ handover: { ...agreed(0), arrivals: { buyer: 'late', seller: 'late' } } })],
    ['whether they met', held({ handover: agreed(-240) })],
    [
      'a handover to confirm',
      createDeal({ state: 'handed_over', buyer_id: 'me', transitions: ['received', 'object'] }),
    ],
    [
      'an overdue rental',
      createDeal({
        kind: 'rental',
        state: 'out',
        turn: null,
        seller_id: 'me',
        buyer_id: 'ben',
        first_day: '2026-01-02',
        last_day: '2026-01-05',
        transitions: ['returned'],
      }),
    ],
    ['a no-show', createDeal({ state: 'no_show', buyer_id: 'me', transitions: ['contest'] })],
    ['an expired offer', createDeal({ state: 'expired', turn: null, buyer_id: 'me', deadline_at: null })],
  ])('%s', async (_, deal) => {
    await page.viewport(360, 640);
    requestMock.mockResolvedValue({ items: [deal] });
    const { container } = await render(
      <MemoryRouter>
        <DealPanel
          conversation={{ ...conversation, may_write: false }}
          ownId="me"
          otherName="Ben"
          newestEvent={undefined}
        />
        <textarea aria-label="Message" />
      </MemoryRouter>,
    );
    const panel = page.getByRole('region', { name: 'Deal' });
    await expect.element(panel).toBeVisible();
    // The header and the bottom bar leave 522 of 640 px to the thread.
    expect(panel.element().getBoundingClientRect().height).toBeLessThanOrEqual(522 / 4);
    expect(container.scrollWidth).toBeLessThanOrEqual(360);
    await page.getByRole('textbox', { name: 'Message' }).click();
    await expect.poll(() => panel.element().getBoundingClientRect().height).toBeLessThanOrEqual(56);
    await page.viewport(1280, 800);
  });
});
