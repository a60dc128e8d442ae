import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { calls } from '#contract/calls.ts';
import type { Deal } from '#contract/deals.ts';
import { createDeal, createHandover } from '#contract/testing.ts';
import { createTestApi, refuse } from '#web/testing/api.ts';
import { openScreen } from '#web/testing/screen.tsx';
import { signIn } from '#web/testing/session.ts';
import { HandoversScreen } from './handovers-screen.tsx';
import { NextHandover } from './next-handover.tsx';
import { refreshDeals } from './refresh-deals.ts';

const api = createTestApi();
const hour = 3_600_000;
const createAgreedDeal = (title: string, hours: number): Deal => {
  const id = crypto.randomUUID();
  return createDeal({
    id,
    conversation_id: id,
    title,
    price: 10,
    state: 'held',
    other: { id, name: 'Jordan', avatar_url: null, usc_verified: false },
    handover: createHandover({
      place: 'Doheny',
      landmark: 'Front steps',
      time: new Date(Date.now() + hours * hour).toISOString(),
      agreed: true,
    }),
  });
};
const openCard = async (items: Deal[]) => {
  signIn();
  api.answer(calls.listHandovers, { items });
  await openScreen('/', { '/': () => <NextHandover ownId="me" /> });
};
const card = page.getByRole('region', { name: 'Next handover' });

test('the card says when and where to meet whom for what, and leads to the conversation', async () => {
  const kettle = createAgreedDeal('Kettle', 1);
  await openCard([kettle]);
  await expect
    .poll(() => card.element().textContent)
    .toMatch(/\d(AM|PM|\s[AP]M).*Doheny, Front steps.*Jordan · Kettle.*\$10/);
  await expect
    .element(card.getByRole('link'))
    .toHaveAttribute('href', `/messages?c=${kettle.conversation_id}`);
});

test('the card follows changes, and disappears when the handover is cancelled', async () => {
  await openCard([createAgreedDeal('Kettle', 1), createAgreedDeal('Lamp', 30)]);
  await expect.element(card.getByRole('link', { name: 'All 2' })).toHaveAttribute('href', '/handovers');
  api.answer(calls.listHandovers, { items: [createAgreedDeal('Lamp', 2)] });
  await refreshDeals('me');
  await expect.element(card.getByText('Lamp')).toBeVisible();
  await expect.element(card.getByRole('link', { name: 'All 2' })).not.toBeInTheDocument();
  api.answer(calls.listHandovers, { items: [] });
  await refreshDeals('me');
  await expect.element(card).not.toBeInTheDocument();
});

test('there is no card for a handover that is over, or when the handovers cannot be loaded', async () => {
  await openCard([createAgreedDeal('Kettle', -4)]);
  await expect.poll(() => api.listRequests(calls.listHandovers).length).toBe(1);
  await expect.element(card).not.toBeInTheDocument();
  api.answer(calls.listHandovers, () => {
    throw refuse('internal');
  });
  await refreshDeals('me');
  await expect.element(card).not.toBeInTheDocument();
});

test('the list shows all handovers by day, with one calendar file', async () => {
  signIn();
  api.answer(calls.listHandovers, {
    items: [createAgreedDeal('Kettle', 1), createAgreedDeal('Lamp', 72), createAgreedDeal('Desk', 72)],
  });
  await openScreen('/', { '/': () => <HandoversScreen ownId="me" /> });
  await expect.element(page.getByRole('button', { name: 'Add all to calendar' })).toBeVisible();
  const days = page.getByRole('heading', { level: 2 }).elements();
  expect(days).toHaveLength(2);
  expect(page.getByRole('listitem').elements()).toHaveLength(3);
});

test('without a handover ahead the list says so and leads to Messages', async () => {
  signIn();
  api.answer(calls.listHandovers, { items: [] });
  await openScreen('/', { '/': () => <HandoversScreen ownId="me" /> });
  await expect.element(page.getByText('No handovers ahead')).toBeVisible();
  await expect
    .element(page.getByRole('link', { name: 'Open Messages' }))
    .toHaveAttribute('href', '/messages');
});

test('items that are handed over at the same meeting are one, with their total price', async () => {
  const kettle = createAgreedDeal('Kettle', 1);
  const lamp = {
    ...createAgreedDeal('Desk lamp', 1),
    other: kettle.other,
    handover: kettle.handover,
    price: 20,
  };
  await openCard([kettle, lamp]);
  await expect.poll(() => card.element().textContent).toMatch(/Jordan · 2 items: Kettle, Desk lamp\$30$/);
  await expect.element(card.getByRole('link', { name: /^All/ })).not.toBeInTheDocument();

  // The price says nothing when money goes both ways.
  api.answer(calls.listHandovers, { items: [kettle, { ...lamp, buyer_id: crypto.randomUUID() }] });
  await refreshDeals('me');
  await expect.poll(() => card.element().textContent).toMatch(/2 items: Kettle, Desk lamp$/);

  const elsewhere = { ...lamp, handover: createHandover({ ...lamp.handover, place: 'Gym' }) };
  api.answer(calls.listHandovers, { items: [kettle, elsewhere] });
  await refreshDeals('me');
  await expect.element(card.getByRole('link', { name: 'All 2' })).toBeVisible();
});
