import { expect, test } from 'vitest';
import { defaultCampus as campus } from './campus.ts';
import { findDealAlert } from './deal-alerts.ts';
import type { Deal } from './deals.ts';
import { createDeal, createHandover } from './testing.ts';

const find = (change: Partial<Deal>, now: string, party: 'buyer' | 'seller' = 'buyer') =>
  findDealAlert(createDeal(change), party, { otherName: 'Maya', campus, now: new Date(now) });

test('asks both parties whether they met, starting three hours after the agreed time', () => {
  const handover = createHandover({ time: '2026-11-22T16:00:00.000Z', agreed: true });
  const held = { state: 'held', turn: null, handover, deadline_at: '2026-11-25T17:00:00.000Z' } as const;
  expect(find(held, '2026-11-22T18:59:59.999Z')).toBeUndefined();
  for (const party of ['buyer', 'seller'] as const)
    expect(find(held, '2026-11-22T19:00:00.000Z', party)?.title).toBe('Did you meet Maya?');
  expect(find({ ...held, state: 'handed_over' }, '2026-11-22T19:00:00.000Z')).toBeUndefined();
  const ask = (transitions: Deal['transitions']) =>
    find({ ...held, transitions }, '2026-11-22T19:00:00.000Z')?.text;
  expect(ask(['received', 'propose_handover', 'cancel'])).toBe(
    'Confirm that it’s done, suggest a new time, or cancel.',
  );
  expect(ask(['received', 'cancel', 'report_no_show'])).toBe('Confirm that it’s done, or cancel.');
  expect(ask(['cancel', 'report_no_show'])).toBe(
    'The listing is being checked. Until that is done, the deal can only end.',
  );
});

test('warns in the last three hours of a hold, and suggests only the transitions that are possible', () => {
  const held = { state: 'held', turn: null, deadline_at: '2026-11-24T17:00:00.000Z' } as const;
  expect(find(held, '2026-11-24T13:59:00.000Z')).toBeUndefined();
  const warn = (transitions: Deal['transitions']) =>
    find({ ...held, transitions }, '2026-11-24T14:00:00.000Z');
  expect(warn(['agreed_in_chat', 'keep_hold'])).toEqual({
    title: 'The hold ends soon',
    text: 'If you already agreed in chat, say so, and it lasts 72 hours longer. You can also keep it on hold longer.',
    canReport: false,
  });
  expect(warn([])?.text).toBe('Suggest a time and a place to meet.');
  expect(warn(['received', 'propose_handover', 'cancel'])?.text).toBe('Suggest a time and a place to meet.');
  // After the first day of a rental, no time can be suggested.
  expect(warn(['received', 'cancel'])?.text).toBe('Confirm the handover when it is done.');
  // While the listing is in review, the deal can only end.
  expect(warn(['cancel'])?.text).toBe(
    'The listing is being checked. Until that is done, the deal can only end.',
  );
});

const out = {
  kind: 'rental',
  state: 'out',
  turn: null,
  first_day: '2026-11-01',
  last_day: '2026-11-05',
} as const;

test('a rental is overdue from the day after its last day, and can be reported after a week', () => {
  // The dates are days on the campus, where midnight is at 8:00 UTC.
  expect(find(out, '2026-11-06T07:59:00.000Z')).toBeUndefined();
  expect(find(out, '2026-11-06T08:00:00.000Z')).toEqual({
    title: 'This rental is overdue',
    text: 'Please return it, or ask to keep it longer.',
    canReport: false,
  });
  expect(find(out, '2026-11-12T20:00:00.000Z', 'seller')).toMatchObject({
    text: 'You can report it from Nov 13 on.',
    canReport: false,
  });
  expect(find(out, '2026-11-13T08:00:00.000Z', 'seller')).toMatchObject({
    text: 'If you can’t agree, report it.',
    canReport: true,
  });
  expect(find({ ...out, state: 'handed_over' }, '2026-11-06T08:00:00.000Z')).toEqual({
    title: 'This rental is overdue',
    text: 'Please return it, or say that you never got it.',
    canReport: false,
  });
  expect(
    find({ ...out, kind: 'sale', state: 'handed_over', last_day: null }, '2026-11-06T08:00:00.000Z'),
  ).toBeUndefined();
  expect(find({ ...out, state: 'back' }, '2026-11-13T08:00:00.000Z')).toBeUndefined();
});

test('a late rental names the price for the extra days that was agreed on, or has to be answered when it can be reported', () => {
  const [soon, later] = ['2026-11-06T20:00:00.000Z', '2026-11-13T20:00:00.000Z'];
  const findText = (change: Parameters<typeof find>[0], time: string, party?: 'seller') =>
    find({ ...out, ...change }, time, party)?.text;
  expect(findText({ transitions: ['propose_extra_price'] }, soon, 'seller')).toBe(
    'You can propose a price for the extra days. You can report it from Nov 13 on.',
  );
  expect(findText({ transitions: ['propose_extra_price'], extra_price: 5 }, soon, 'seller')).toBe(
    'Agreed for the extra days: $5. You can report it from Nov 13 on.',
  );
  expect(findText({ extra_price: 5 }, soon)).toBe(
    'Agreed for the extra days: $5. Please return it, or ask to keep it longer.',
  );
  expect(find({ ...out, requested_extra_price: 5 }, soon)).toBeUndefined();
  expect(findText({ requested_extra_price: 5 }, later)).toMatch(/^Maya proposes \$5 for the extra days\. /);
});

test('tells only the next renter that the item has not been returned', () => {
  const held = {
    kind: 'rental',
    state: 'held',
    turn: null,
    item_overdue: true,
    first_day: '2026-11-22',
    last_day: '2026-11-24',
  } as const;
  // There is no notice before the first day of the rental. Days on the campus begin at 8:00 UTC.
  expect(find(held, '2026-11-22T07:59:00.000Z')).toBeUndefined();
  expect(find(held, '2026-11-22T17:00:00.000Z')?.title).toBe('It isn’t back yet');
  expect(find(held, '2026-11-22T17:00:00.000Z', 'seller')).toBeUndefined();
});
