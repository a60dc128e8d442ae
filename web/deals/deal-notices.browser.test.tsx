import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { calls } from '#contract/calls.ts';
import { addDays } from '#contract/days.ts';
import type { Deal } from '#contract/deals.ts';
import { createDeal, createHandover } from '#contract/testing.ts';
import { createTestApi, refuse } from '#web/testing/api.ts';
import { createConversation, otherName, ownId } from '#web/testing/conversations.ts';
import { getRecorded } from '#web/testing/recorded.ts';
import { openScreen } from '#web/testing/screen.tsx';
import { signIn } from '#web/testing/session.ts';
import { DealPanel } from './deal-panel.tsx';
import { DealQueueDialog } from './deal-queue-dialog.tsx';
import { ListingDeal } from './listing-deal.tsx';
import { TransactionHistory } from './transaction-history.tsx';

const api = createTestApi();
const conversation = createConversation(1);
const listing = getRecorded('getListing');
const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
const today = new Date().toISOString().slice(0, 10);
const createOwnDeal = (changes: Partial<Deal> = {}): Deal =>
  createDeal({ buyer_id: ownId, conversation_id: conversation.id, title: 'Lamp 1', ...changes });

beforeEach(signIn);

const openInConversation = (deal: Deal) => {
  api.answer(calls.listDeals, { items: [deal], next_cursor: null });
  api.answer(calls.getListing, listing);
  return openScreen('/', {
    '/': () => (
      <DealPanel conversation={conversation} ownId={ownId} otherName={otherName} newestEvent={undefined} />
    ),
  });
};
const openOnListing = (deal: Deal) => {
  api.answer(calls.findListingDeal, { deal, other_offers: 0, taken_days: [] });
  api.answer(calls.listBlockedIds, { user_ids: [] });
  return openScreen('/', {
    '/': () => <ListingDeal listing={listing} ownId={ownId} message={null} onOpen={() => {}} />,
  });
};
const getButton = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = page.getByRole('dialog');

test.each([
  ['in the conversation', openInConversation],
  ['on the page of the listing', openOnListing],
])('a hold that ends soon can be extended %s, which removes the notice', async (_, open) => {
  const deal = createOwnDeal({
    state: 'held',
    turn: null,
    deadline_at: inHours(2.5),
    transitions: ['agreed_in_chat', 'cancel'],
  });
  const extended = { ...deal, deadline_at: inHours(48), transitions: ['cancel' as const] };
  await open(deal);
  await expect.element(page.getByText('The hold ends soon')).toBeVisible();
  api.answer(calls.makeDealTransition, extended);
  api.answer(calls.listDeals, { items: [extended], next_cursor: null });
  api.answer(calls.findListingDeal, { deal: extended, other_offers: 0, taken_days: [] });
  await getButton('We agreed in chat').click();
  await expect.element(page.getByText('The hold ends soon')).not.toBeInTheDocument();
  expect(api.listRequests(calls.makeDealTransition)[0]?.body).toMatchObject({ transition: 'agreed_in_chat' });
});

test('hours after the agreed time both are asked whether they met, with a button for every answer', async () => {
  api.answer(calls.listMeetingSpots, getRecorded('listMeetingSpots'));
  await openInConversation(
    createOwnDeal({
      state: 'held',
      turn: null,
      deadline_at: inHours(68),
      handover: createHandover({ time: inHours(-4), agreed: true }),
      transitions: ['received', 'propose_handover', 'cancel'],
    }),
  );
  await expect.element(page.getByText(`Did you meet ${otherName}?`)).toBeVisible();
  await expect.element(getButton('I have it')).toBeVisible();
  await expect.element(getButton('Cancel the deal')).toBeVisible();
  await getButton('Suggest a new time').click();
  await dialog.getByRole('button', { expanded: false }).click();
  await expect.element(dialog.getByRole('radio').first()).toBeVisible();
});

test('the meeting spots take no focus from the dialog when they arrive late', async () => {
  const spots = api.hold(calls.listMeetingSpots, getRecorded('listMeetingSpots'));
  await openInConversation(createOwnDeal({ state: 'held', turn: null, transitions: ['propose_handover'] }));
  await getButton('Suggest a time and place').click();
  const close = dialog.getByRole('button', { name: 'Close' });
  await expect.element(close).toBeVisible();
  (close.element() as HTMLElement).focus();
  spots.release();
  await expect.element(dialog.getByRole('button', { name: 'Another time' })).toBeVisible();
  await expect.element(close).toHaveFocus();
});

test('a rental that is overdue for a week can be reported', async () => {
  await openInConversation(
    createDeal({
      seller_id: ownId,
      kind: 'rental',
      state: 'out',
      turn: null,
      title: 'Camera with two lenses',
      first_day: addDays(today, -12),
      last_day: addDays(today, -10),
      deadline_at: null,
    }),
  );
  await expect.element(page.getByText('This rental is overdue')).toBeVisible();
  await getButton('Report').click();
  await expect
    .element(dialog.getByLabelText(/^Subject/))
    .toHaveValue('Overdue rental: Camera with two lenses');
});

test('a cancellation needs a reason', async () => {
  await openInConversation(createOwnDeal({ state: 'held', turn: null, transitions: ['cancel'] }));
  await getButton('Cancel').click();
  await dialog.getByRole('button', { name: 'Cancel the deal' }).click();
  await expect.element(dialog.getByText('Please give a reason')).toBeVisible();
});

test('somebody who did not get an item can look for similar ones', async () => {
  api.answer(calls.listDeals, {
    items: [createOwnDeal({ kind: 'gift', state: 'closed', turn: null })],
    next_cursor: null,
  });
  const gone = createConversation(1, { listing: { ...conversation.listing, available: false } });
  await openScreen('/', {
    '/': () => <DealPanel conversation={gone} ownId={ownId} otherName={otherName} newestEvent={undefined} />,
  });
  await expect
    .element(page.getByRole('link', { name: 'See similar items' }))
    .toHaveAttribute('href', `/listing/${gone.listing.slug}`);
});

test('an outdated answer to an offer says that the deal has changed, and shows the offers as they are', async () => {
  const claims = ['Fay', 'Sam'].map((name, index) =>
    createDeal({
      id: `00000000-0000-4000-8000-00000000000${index}`,
      seller_id: ownId,
      other: { id: ownId, name, avatar_url: null, usc_verified: true },
      kind: 'gift',
      price: 0,
      position: index + 1,
      transitions: index === 0 ? ['accept'] : [],
    }),
  );
  const [first, second] = claims as [Deal, Deal];
  let open = claims;
  api.answer(calls.listDealsOfListing, () => ({ items: open }));
  api.answer(calls.makeDealTransition, () => {
    open = [{ ...second, transitions: ['accept'] }];
    throw refuse('deal_moved_on', {
      deal: { ...first, state: 'withdrawn', turn: null, transitions: [] },
    } as object);
  });
  await openScreen('/', {
    '/': () => <DealQueueDialog listing={{ ...listing, title: 'Boxes' }} ownId={ownId} onClose={() => {}} />,
  });
  const rows = dialog.getByRole('listitem');
  await expect.element(rows.first().getByText('Fay would like this item.')).toBeVisible();
  await expect.element(rows.last().getByRole('button', { name: 'Accept' })).not.toBeInTheDocument();
  await rows.first().getByRole('button', { name: 'Accept' }).click();
  await expect
    .element(page.getByText('This deal has changed in the meantime.', { exact: false }))
    .toBeVisible();
  await expect.poll(() => rows.elements().length).toBe(1);
  await expect.element(rows.getByText('Sam would like this item.')).toBeVisible();
});

test('two filters of the history that are chosen in quick succession both apply', async () => {
  api.answer(calls.listDeals, ({ query: { state } }) => ({
    items: state === 'declined' ? [] : [createOwnDeal({ state: 'completed', turn: null })],
    next_cursor: null,
  }));
  await openScreen('/profile?tab=history', { '/profile': () => <TransactionHistory ownId={ownId} /> });
  const rows = page.getByRole('list', { name: 'Transactions' }).getByRole('listitem');
  await expect.element(rows).toBeVisible();
  await page.getByLabelText('State').selectOptions('Declined');
  await expect.element(page.getByText('No such transactions')).toBeVisible();
  const change = (label: string, value: string): void => {
    const select = page.getByLabelText(label).element() as HTMLSelectElement;
    select.value = value;
    select.dispatchEvent(new Event('change', { bubbles: true }));
  };
  change('State', 'completed');
  change('Role', 'buyer');
  await expect
    .element(page.getByLabelText('Address'))
    .toHaveTextContent('/profile?tab=history&state=completed&role=buyer');
  await expect.element(rows).toBeVisible();
});

test('a new time suggested from the page of a listing is for the place of this listing', async () => {
  api.answer(calls.listMeetingSpots, { items: [] });
  api.answer(calls.getListing, listing);
  await openOnListing(
    createOwnDeal({
      state: 'held',
      turn: null,
      handover: createHandover({ time: inHours(-4), agreed: true }),
      transitions: ['received', 'propose_handover', 'cancel'],
    }),
  );
  await getButton('Suggest a new time').click();
  await dialog.getByRole('button', { expanded: false }).click();
  await expect.element(dialog.getByRole('radio', { name: new RegExp(`^${listing.location}`) })).toBeVisible();
});

test('a tap fills in a usual counter-offer, and one above the price is sent only after a question', async () => {
  const offer = createDeal({
    ...{ buyer_id: listing.id, seller_id: ownId, price: 90, transitions: ['accept', 'counter', 'decline'] },
  });
  api.answer(calls.listDealsOfListing, { items: [offer] });
  await openScreen('/', {
    '/': () => <DealQueueDialog listing={{ ...listing, price: 110 }} ownId={ownId} onClose={() => {}} />,
  });
  await getButton('Make a counter-offer').click();
  const price = page.getByRole('textbox', { name: 'Your price' });
  await getButton('$100').click();
  await expect.element(price).toHaveValue('100');
  await expect.element(getButton('$110')).toBeVisible();
  await price.fill('150');
  await getButton('Send counter-offer').click();
  await expect.element(page.getByText('That’s more than the price. Send anyway?')).toBeVisible();
  expect(api.listRequests(calls.makeDealTransition)).toEqual([]);
  api.answer(calls.makeDealTransition, { ...offer, price: 150 });
  await getButton('Send anyway').click();
  await expect
    .poll(() => api.listRequests(calls.makeDealTransition)[0]?.body)
    .toMatchObject({ transition: 'counter', price: 150 });
});
