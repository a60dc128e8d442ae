import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { calls } from '#contract/calls.ts';
import type { Deal } from '#contract/deals.ts';
import { createDeal } from '#contract/testing.ts';
import { createTestApi } from '#web/testing/api.ts';
import { createConversation, otherName, ownId } from '#web/testing/conversations.ts';
import { openScreen } from '#web/testing/screen.tsx';
import { signIn } from '#web/testing/session.ts';
import { DealPanel } from './deal-panel.tsx';
import { refreshDeals } from './refresh-deals.ts';

const api = createTestApi();
const conversation = createConversation(1);
const listTransitions = () => api.listRequests(calls.makeDealTransition).map(({ body }) => body);

beforeEach(signIn);

const handOver = async (change: Partial<Deal>): Promise<Deal> => {
  const deal = createDeal({
    seller_id: ownId,
    conversation_id: conversation.id,
    kind: 'rental',
    state: 'held',
    turn: null,
    first_day: '2026-10-01',
    last_day: '2026-10-03',
    transitions: ['handed_over'],
    ...change,
  });
  api.answer(calls.listDeals, { items: [deal], next_cursor: null });
  api.answer(calls.makeDealTransition, { ...deal, state: 'handed_over', transitions: [] });
  await openScreen('/', {
    '/': () => (
      <DealPanel
        conversation={conversation}
        ownId={ownId}
        otherName={otherName}
        newestEvent={undefined}
        renderPhotosButton={() => <button type="button">Condition photos</button>}
      />
    ),
  });
  await page.getByRole('button', { name: 'I handed it over' }).click();
  return deal;
};

test('the owner is reminded of condition photos before the handover, and can go on without any', async () => {
  await handOver({});
  const dialog = page.getByRole('dialog', { name: 'Did you hand it over?' });
  await expect.element(dialog.getByText(/Condition photos show what it looked like\./)).toBeVisible();
  await expect.element(dialog.getByRole('button', { name: 'Condition photos' })).toBeVisible();
  expect(listTransitions()).toEqual([]);
  await dialog.getByRole('button', { name: 'I handed it over' }).click();
  await expect.poll(listTransitions).toMatchObject([{ transition: 'handed_over' }]);
});

test('the question stays, with the button for photos, when its first photo has been added', async () => {
  const deal = await handOver({});
  const dialog = page.getByRole('dialog', { name: 'Did you hand it over?' });
  await expect.element(dialog).toBeVisible();
  const requests = api.listRequests(calls.listDeals).length;
  api.answer(calls.listDeals, { items: [{ ...deal, price: 25, has_photos: true }], next_cursor: null });
  await refreshDeals(ownId);
  expect(api.listRequests(calls.listDeals).length).toBeGreaterThan(requests);
  await expect.element(page.getByText('$25', { exact: false }).first()).toBeInTheDocument();
  await expect.element(dialog.getByRole('button', { name: 'Condition photos' })).toBeVisible();
});

test.each<[string, Partial<Deal>]>([
  ['a rental with photos', { has_photos: true }],
  ['a rental to which photos can be added later', { first_day: '2099-10-01', last_day: '2099-10-03' }],
  ['a sale', { kind: 'sale', first_day: null, last_day: null }],
])('the handover of %s is not asked about', async (_, change) => {
  await handOver(change);
  await expect.poll(listTransitions).toMatchObject([{ transition: 'handed_over' }]);
});
