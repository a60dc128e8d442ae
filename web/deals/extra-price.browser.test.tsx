import { MemoryRouter } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { defaultCampus, toCampusDay } from '#contract/campus.ts';
import { addDays } from '#contract/days.ts';
import type { Deal } from '#contract/deals.ts';
import { createDeal } from '#contract/testing.ts';
import { createConversation } from '#web/conversations/testing.ts';
import { queryClient } from '#web/lib/query-client.ts';

const requestMock = vi.hoisted(() => vi.fn());
vi.mock('#web/lib/api.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof import('#web/lib/api.ts')>()),
  request: requestMock,
}));
vi.mock('#web/lib/use-campus.ts', async () => {
  const { defaultCampus: campus } = await import('#contract/campus.ts');
  return { useCampus: () => campus };
});

const { DealPanel } = await import('./deal-panel.tsx');

const today = toCampusDay(defaultCampus, new Date());
/** A rental of three days for $60 that is two days late. */
const createLateRental = (change: Partial<Deal>): Deal =>
  createDeal({
    kind: 'rental',
    state: 'out',
    turn: null,
    price: 60,
    first_day: addDays(today, -4),
    last_day: addDays(today, -2),
    deadline_at: null,
    deposit: 80,
    ...change,
  });
const open = (deal: Deal) => {
  requestMock.mockImplementation(async (_call, { body } = { body: undefined }) =>
    body ? { ...deal, requested_extra_price: body.price } : { items: [deal], next_cursor: null },
  );
  return render(
    <MemoryRouter>
      <DealPanel
        conversation={createConversation('lamp')}
        ownId="me"
        otherName="Ben"
        newestEvent={undefined}
      />
    </MemoryRouter>,
  );
};
const findBody = () => requestMock.mock.calls.map(([, input]) => input.body).find(Boolean);

beforeEach(() => {
  queryClient.clear();
  requestMock.mockReset();
  localStorage.clear();
});

test('the owner of a late rental proposes the price of its extra days, at its own price per day', async () => {
  await open(createLateRental({ seller_id: 'me', transitions: ['propose_extra_price', 'returned'] }));
  await expect.element(page.getByText(/^You can propose a price for the extra days\./)).toBeVisible();
  await page.getByRole('button', { name: 'More actions for this deal' }).click();
  await page.getByRole('menuitem', { name: 'Propose a price for the extra days' }).click();
  const dialog = page.getByRole('dialog', { name: 'Price for the extra days' });
  await expect.element(dialog).toBeVisible();
  await expect.element(dialog.getByLabelText(/^Price for all extra days/)).toHaveValue('40');
  await dialog.getByRole('button', { name: 'Propose' }).click();
  await expect.poll(findBody).toMatchObject({ transition: 'propose_extra_price', price: 40 });
});

test('the renter sees the proposed price and the deposit, and agrees', async () => {
  await open(
    createLateRental({
      buyer_id: 'me',
      requested_extra_price: 40,
      transitions: ['accept_extra_price', 'decline_extra_price', 'returned'],
    }),
  );
  await expect.element(page.getByText(/Ben.? proposes \$40 for the extra days\./)).toBeVisible();
  await page.getByRole('button', { name: 'About this deal' }).click();
  await expect.element(page.getByText('Deposit: $80. Quad holds no money.')).toBeVisible();
  await page.getByRole('button', { name: 'Agree to the extra price' }).click();
  await expect.poll(findBody).toMatchObject({ transition: 'accept_extra_price' });
});
