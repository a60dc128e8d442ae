import { beforeEach, describe, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { calls } from '#contract/calls.ts';
import type { Deal } from '#contract/deals.ts';
import { createDeal, createHandover } from '#contract/testing.ts';
import { createTestApi } from '#web/testing/api.ts';
import { createConversation, otherName, ownId } from '#web/testing/conversations.ts';
import { openScreen } from '#web/testing/screen.tsx';
import { signIn } from '#web/testing/session.ts';
import { DealPanel } from './deal-panel.tsx';
import { SuggestHandoverDialog } from './handover-dialog.tsx';

const api = createTestApi();
const conversation = createConversation(1);
const other = { id: crypto.randomUUID(), name: otherName, avatar_url: null, usc_verified: false };
const createHeldDeal = (title: string, change: Partial<Deal> = {}): Deal =>
  createDeal({
    ...{ id: crypto.randomUUID(), conversation_id: crypto.randomUUID(), buyer_id: ownId, other, title },
    ...{ price: 10, state: 'held', turn: null, transitions: ['propose_handover', 'received', 'cancel'] },
    ...change,
  });
const time = new Date(Math.ceil(Date.now() / 900_000) * 900_000 + 86_400_000).toISOString();
const laterTime = new Date(Date.parse(time) + 3_600_000).toISOString();
const lamp = createHeldDeal('Desk lamp');
const rug = createHeldDeal('Rug');
const getButton = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const getChanges = () => api.listRequests(calls.makeDealTransition).map(({ body }) => body);

beforeEach(signIn);

describe('a suggestion', () => {
  const openDialog = async (deal: Deal, held: Deal[]) => {
    api.answer(calls.listDeals, { items: [deal, ...held], next_cursor: null });
    api.answer(calls.listMeetingSpots, { items: [] });
    await openScreen('/', {
      '/': () => <SuggestHandoverDialog deal={deal} ownId={ownId} otherName={otherName} onClose={vi.fn()} />,
    });
    await page.getByRole('textbox', { name: 'Place' }).fill('Doheny');
  };
  const kettle = createHeldDeal('Kettle');

  test('is made for the other items of the two people, too, unless they are left out', async () => {
    await openDialog(kettle, [lamp, rug]);
    expect(api.listRequests(calls.listDeals)[0]?.query).toEqual({ state: 'held', other_id: other.id });
    await expect.element(page.getByRole('group', { name: 'Also for' })).toBeVisible();
    await expect.element(getButton(/^Suggest .*, Doheny · 3\sitems$/)).toBeVisible();
    await page.getByRole('checkbox', { name: /^Rug/ }).click();
    api.answer(calls.makeDealTransition, { ...kettle, also_for: [lamp], skipped: [] });
    await getButton(/^Suggest .*, Doheny · 2\sitems$/).click();
    await expect.element(page.getByText('Suggested for 2 items')).toBeVisible();
    expect(getChanges()).toMatchObject([{ transition: 'propose_handover', also_for: [lamp.id] }]);
  });

  test('names the items that it was not made for', async () => {
    await openDialog(kettle, [lamp, rug]);
    api.answer(calls.makeDealTransition, { ...kettle, also_for: [rug], skipped: [lamp] });
    await getButton(/^Suggest .* · 3\sitems$/).click();
    await expect.element(page.getByText('Suggested for 2 of 3 items')).toBeVisible();
    await expect.element(page.getByText(/^Not for .*Desk lamp.*: the deal has changed/)).toBeVisible();
  });

  test('is offered for items of the same meeting, but not for those that have another one', async () => {
    const meet = (place: string) => createHandover({ place, time, agreed: true });
    const moved = createHeldDeal('Kettle', { handover: meet('Plaza') });
    const rental = createHeldDeal('Bike', {
      kind: 'rental',
      first_day: '2026-12-01',
      last_day: '2026-12-02',
    });
    await openDialog(moved, [
      createHeldDeal('Desk lamp', { handover: meet('Plaza') }),
      createHeldDeal('Rug', { handover: meet('Gym') }),
      rental,
    ]);
    await expect.element(page.getByRole('checkbox', { name: /^Desk lamp/ })).toBeChecked();
    expect(page.getByRole('checkbox').elements()).toHaveLength(1);
  });

  test('asks nothing when there is one item', async () => {
    await openDialog(kettle, []);
    api.answer(calls.makeDealTransition, kettle);
    await getButton(/^Suggest .*, Doheny$/).click();
    await expect.poll(() => getChanges()).toHaveLength(1);
    expect(getChanges()[0]).not.toHaveProperty('also_for');
  });
});

describe('a time that is suggested for several items', () => {
  const suggest = (deal: Deal, times = [time], place = 'Doheny'): Deal => ({
    ...deal,
    transitions: ['agree_handover', 'propose_handover', 'cancel'],
    handover: createHandover({ place, proposal: { spot_id: null, place, times, by: 'seller' } }),
  });
  const kettle = suggest(createHeldDeal('Kettle', { conversation_id: conversation.id }), [time, laterTime]);
  const openPanel = async (held: Deal[]) => {
    api.answer(calls.listDeals, ({ query }) => ({
      items: query.conversation_id ? [kettle] : [kettle, ...held],
      next_cursor: null,
    }));
    api.answer(calls.makeDealTransition, () => ({ ...kettle, transitions: [], also_for: [], skipped: [] }));
    await openScreen('/', {
      '/': () => (
        <DealPanel conversation={conversation} ownId={ownId} otherName={otherName} newestEvent={undefined} />
      ),
    });
    const times = page.getByRole('list', { name: 'Suggested times' }).getByRole('button');
    await expect.element(times.first()).toBeVisible();
    return times;
  };
  const dialog = page.getByRole('dialog');
  const held = [suggest(lamp), suggest(rug, [time], 'Gym'), suggest(createHeldDeal('Mirror'), [laterTime])];

  test('is accepted for all of them at once', async () => {
    const times = await openPanel(held);
    await times.first().click();
    await expect.element(dialog.getByRole('listitem').first()).toHaveTextContent('Kettle$10');
    await expect.element(dialog.getByRole('listitem').last()).toHaveTextContent('Desk lamp$10');
    await dialog.getByRole('button', { name: 'Accept for 2 items' }).click();
    await expect
      .poll(() => getChanges())
      .toMatchObject([{ transition: 'agree_handover', time, place: 'Doheny', also_for: [lamp.id] }]);
  });

  test('is accepted for one of them', async () => {
    const times = await openPanel(held);
    await times.first().click();
    await dialog.getByRole('button', { name: 'Only this item' }).click();
    await expect.poll(() => getChanges()).toHaveLength(1);
    expect(getChanges()[0]).not.toHaveProperty('also_for');
    await expect.element(dialog).not.toBeInTheDocument();
  });

  test('is accepted with one tap when it is suggested for one item', async () => {
    const times = await openPanel([suggest(rug, [time], 'Gym')]);
    await times.first().click();
    await expect.poll(() => getChanges()).toHaveLength(1);
    expect(getChanges()[0]).not.toHaveProperty('also_for');
  });
});
