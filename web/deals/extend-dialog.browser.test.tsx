import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { calls } from '#contract/calls.ts';
import { defaultCampus, toCampusDay } from '#contract/campus.ts';
import { addDays } from '#contract/days.ts';
import type { Deal } from '#contract/deals.ts';
import type { RentalRules } from '#contract/rental-rules.ts';
import { createDeal } from '#contract/testing.ts';
import { getWeekday } from '#contract/weekdays.ts';
import { createTestApi } from '#web/testing/api.ts';
import { createConversation, otherName, ownId } from '#web/testing/conversations.ts';
import { openScreen } from '#web/testing/screen.tsx';
import { signIn } from '#web/testing/session.ts';
import { DealPanel } from './deal-panel.tsx';

const api = createTestApi();
const conversation = createConversation(1);
const today = toCampusDay(defaultCampus, new Date());
const dialog = page.getByRole('dialog', { name: 'Ask to keep it longer' });

beforeEach(signIn);

const open = async (rules: RentalRules, change: Partial<Deal> = {}): Promise<void> => {
  const deal = createDeal({
    buyer_id: ownId,
    conversation_id: conversation.id,
    kind: 'rental',
    state: 'out',
    turn: null,
    deadline_at: null,
    first_day: addDays(today, -1),
    last_day: today,
    transitions: ['extend'],
    ...change,
  });
  api.answer(calls.listDeals, { items: [deal], next_cursor: null });
  api.answer(calls.findListingDeal, { deal, other_offers: 0, taken_days: [], rental_rules: rules });
  api.answer(calls.makeDealTransition, deal);
  await openScreen('/', {
    '/': () => (
      <DealPanel conversation={conversation} ownId={ownId} otherName={otherName} newestEvent={undefined} />
    ),
  });
  await page.getByRole('button', { name: 'Ask to keep it longer' }).click();
};

test('offers only the days that the owner’s rules allow', async () => {
  const wanted = addDays(today, 3);
  await open({ handout_days: String(getWeekday(wanted)), max_rental_days: 30 });
  await expect.element(dialog.getByText('New end:', { exact: false })).toBeVisible();
  await dialog.getByRole('button', { name: 'Ask', exact: true }).click();
  await expect
    .poll(() => api.listRequests(calls.makeDealTransition)[0]?.body)
    .toMatchObject({ transition: 'extend', last_day: wanted });
});

test('names the rule when no day is left, and asks a late renter to return it now', async () => {
  await open({ max_rental_days: 2 }, { first_day: addDays(today, -3), last_day: addDays(today, -2) });
  await expect.element(dialog.getByText('Rented out for at most 2 days')).toBeVisible();
  await expect.element(dialog.getByText('Please return it now.')).toBeVisible();
  await expect.element(dialog.getByRole('button', { name: 'Ask', exact: true })).not.toBeInTheDocument();
});
