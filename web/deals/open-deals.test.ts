import { describe, expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import { createDeal } from '#contract/testing.ts';
import { describeEffectOnDeals, describeOpenDeals, findObstacleToAction } from './open-deals.ts';

const named = (name: string, change: Parameters<typeof createDeal>[0] = {}) =>
  createDeal({ other: { id: name, name, avatar_url: null, usc_verified: false }, ...change });
const days = { kind: 'rental', first_day: '2026-10-01', last_day: '2026-10-05' } as const;
const maya = named('Maya', { state: 'held', turn: null });
const ben = named('Ben');

describe('the sentence about who has or wants a listing', () => {
  const today = '2026-10-05';
  test.each([
    [[maya, ben, ben, ben], 'Maya has this on hold, 3 others asked.'],
    [[maya, ben], 'Maya has this on hold, Ben asked for it.'],
    [[maya], 'Maya has this on hold.'],
    [[ben], 'Ben asked for it.'],
    [[ben, ben], '2 people asked for it.'],
    [[named('Maya', { ...days, state: 'out' })], 'Maya has it until Oct 5.'],
    [[named('Maya', { ...days, state: 'held' }), ben], 'Maya has Oct 1 to Oct 5 on hold, Ben asked for it.'],
    [[createDeal({ state: 'handed_over' })], 'Deleted user still has to confirm that they have it.'],
    [[], ''],
  ])('case %#', (deals, sentence) => expect(describeOpenDeals(deals, today, defaultCampus)).toBe(sentence));

  test('says when an overdue rental was due back', () => {
    const deals = [named('Maya', { ...days, state: 'out' }), ben];
    expect(describeOpenDeals(deals, '2026-10-06', defaultCampus)).toBe(
      'Maya still has it (due back on Oct 5), Ben asked for it.',
    );
  });
});

test('the warning before an action says which holds and offers the action ends', () => {
  expect(describeEffectOnDeals([maya, ben, ben], 'draft')).toBe(
    'If you mark it as a draft, you cancel the hold and the offers are closed.',
  );
  expect(describeEffectOnDeals([ben], 'delete')).toBe('If you delete it, the offer is closed.');
  expect(describeEffectOnDeals([maya], 'sell')).toBe('If it goes to somebody else, you cancel the hold.');
  expect(describeEffectOnDeals([named('Maya', { ...days, state: 'held' })], 'sell')).toBe(
    'Holds and offers for the days that somebody else gets end.',
  );
  expect(describeEffectOnDeals([named('Maya', { ...days, state: 'out' })], 'draft')).toBe('');
});

test('an impossible action is explained in advance, with the time when it becomes possible', () => {
  const context = { campus: defaultCampus, now: new Date('2026-11-22T17:00:00.000Z') };
  const find = (deals: Parameters<typeof findObstacleToAction>[0], action: 'delete' | 'draft') =>
    findObstacleToAction(deals, action, context);
  expect(find([named('Maya', { ...days, state: 'out', deadline_at: null })], 'delete')).toBe(
    'You can delete the listing when it is back.',
  );
  expect(find([named('Maya', { ...days, state: 'out' })], 'draft')).toBeUndefined();
  expect(find([named('Maya', { ...days, state: 'back' })], 'delete')).toBe(
    'You can delete the listing when it is back. Otherwise it counts as returned on Tue, Nov 24, 9:00 AM.',
  );
  expect(find([named('Maya', { ...days, state: 'handed_over' })], 'delete')).toBe(
    'You can delete the listing when it is back.',
  );
  for (const action of ['draft', 'delete'] as const)
    expect(find([named('Maya', { state: 'handed_over' })], action)).toBe(
      'You can change this when they have confirmed it. Otherwise it counts as done on Tue, Nov 24, 9:00 AM.',
    );
  expect(find([maya, ben], 'delete')).toBeUndefined();
});
