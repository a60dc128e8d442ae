import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { formatReturnDay, maxAwayDays } from '#contract/away.ts';
import { calls } from '#contract/calls.ts';
import { defaultCampus, toCampusDay } from '#contract/campus.ts';
import { addDays } from '#contract/days.ts';
import type { OwnProfile } from '#contract/profiles.ts';
import { createDeal, createHandover } from '#contract/testing.ts';
import { createTestApi, networkFailure } from '#web/testing/api.ts';
import { getRecorded } from '#web/testing/recorded.ts';
import { openScreen } from '#web/testing/screen.tsx';
import { signIn } from '#web/testing/session.ts';
import { AwaySwitch } from './away-switch.tsx';

const api = createTestApi();
const recorded = getRecorded('getMe');
let profile: OwnProfile;
api.answer(calls.getMe, () => profile);
api.answer(calls.listDeals, { items: [], next_cursor: null });
api.answer(calls.setAway, ({ body }) => ({ away_until: (body as { until: string }).until }));
api.answer(calls.endAway, { away_until: null });

beforeEach(async () => {
  signIn();
  profile = { ...recorded, away_until: null };
  await page.viewport(360, 740);
});

const today = toCampusDay(defaultCampus, new Date());
const tomorrow = addDays(today, 1);
const later = addDays(today, 30);
const open = () => openScreen('/away', { '/away': AwaySwitch });
const toggle = page.getByRole('switch', { name: /^Away/ });
const dialog = page.getByRole('dialog', { name: 'Away until…' });
const hide = dialog.getByRole('button', { name: 'Hide my listings' });
const getDay = (day: string, options = {}) =>
  dialog.getByRole('button', {
    name: new RegExp(
      new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'UTC' }).format(new Date(day)),
    ),
    ...options,
  });
const openDialog = async () => {
  await open();
  await toggle.click();
  await expect.element(dialog).toBeVisible();
};

test('a person chooses until when they are away, and comes back with one tap', async () => {
  await openDialog();

  await expect.element(hide).toBeDisabled();
  await expect.element(getDay(tomorrow)).toBeEnabled();
  // On the last day of a month, the calendar shows the next month.
  expect(getDay(today, { disabled: false }).elements()).toEqual([]);
  await getDay(tomorrow).click();
  await hide.click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect
    .element(page.getByRole('switch', { name: `Away until ${formatReturnDay(tomorrow, defaultCampus)}` }))
    .toBeChecked();
  expect(api.listRequests(calls.setAway).map(({ body }) => body)).toEqual([{ until: tomorrow }]);

  await toggle.click();
  await expect.element(page.getByText('Your listings are shown again')).toBeVisible();
  await expect.element(toggle).not.toBeChecked();
  expect(api.listRequests(calls.endAway)).toHaveLength(1);
});

test('the last day is 120 days ahead', async () => {
  await openDialog();
  const next = dialog.getByRole('button', { name: 'Go to the Next Month' });
  const last = addDays(today, maxAwayDays);
  while (getDay(last).elements().length === 0) await next.click();
  await expect.element(getDay(last)).toBeEnabled();
  const beyond = getDay(addDays(last, 1));
  if (beyond.elements().length > 0) await expect.element(beyond).toBeDisabled();
});

test('what the person has agreed is named before', async () => {
  const deals = [
    createDeal({
      id: '00000000-0000-4000-8000-000000000001',
      state: 'held',
      title: 'Brass lamp',
      other: { id: recorded.id, name: 'Bea Buyer', avatar_url: null, usc_verified: true },
      handover: createHandover({ time: '2026-11-29T23:00:00.000Z', agreed: true }),
    }),
    createDeal({
      id: '00000000-0000-4000-8000-000000000002',
      state: 'held',
      title: 'Desk',
      deadline_at: '2026-11-30T01:00:00.000Z',
    }),
  ];
  const held = api.hold(calls.listDeals, { items: deals, next_cursor: 'later' });
  await openDialog();
  await expect.element(dialog.getByText('Loading what you have agreed')).toBeInTheDocument();
  await expect.element(hide).toBeDisabled();
  held.release();
  const list = dialog.getByRole('region', { name: 'What stays as it is' });
  await expect.element(list.getByRole('listitem').nth(0)).toMatchTextContent('Brass lamp');
  await expect.element(list.getByText(/Meet Sun, Nov 29, 3:00 PM/)).toBeVisible();
  await expect.element(list.getByText(/Deleted user · On hold until Sun, Nov 29, 5:00 PM/)).toBeVisible();
  await expect.element(list.getByRole('listitem').nth(2)).toMatchTextContent('And more');
  await getDay(tomorrow).click();
  await expect.element(hide).toBeEnabled();
});

test('nothing is set while what was agreed cannot be loaded', async () => {
  api.answer(calls.listDeals, () => {
    throw networkFailure();
  });
  await openDialog();
  await expect.element(dialog.getByText('Failed to load what you have agreed')).toBeVisible();
  await expect.element(hide).toBeDisabled();
  api.answer(calls.listDeals, { items: [], next_cursor: null });
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await getDay(tomorrow).click();
  await expect.element(hide).toBeEnabled();
});

test('a failure keeps the dialog open', async () => {
  api.answer(calls.setAway, () => {
    throw networkFailure();
  });
  await openDialog();
  await getDay(tomorrow).click();
  await hide.click();
  await expect.element(dialog.getByText('Service unavailable, please retry shortly.')).toBeVisible();
  await expect.element(hide).toBeEnabled();
});

test('a failed return keeps the switch on', async () => {
  profile = { ...recorded, away_until: later };
  api.answer(calls.endAway, () => {
    throw networkFailure();
  });
  await open();
  await toggle.click();
  await expect.element(page.getByText('That did not work')).toBeVisible();
  await expect.element(toggle).toBeChecked();
});

test('a person who is away can choose another day', async () => {
  profile = { ...recorded, away_until: later };
  await open();
  await expect
    .element(page.getByRole('switch', { name: `Away until ${formatReturnDay(later, defaultCampus)}` }))
    .toBeChecked();
  await page.getByRole('button', { name: 'Change the day' }).click();
  await expect.element(hide).toBeEnabled();
});

test('somebody whose day has come is not away', async () => {
  profile = { ...recorded, away_until: today };
  await open();
  await expect.element(toggle).not.toBeChecked();
});
