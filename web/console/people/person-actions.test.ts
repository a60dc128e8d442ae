import { expect, test } from 'vitest';
import { defaultCampus as campus } from '#contract/campus.ts';
import type { ConsolePersonDetail } from '#contract/console-people.ts';
import { listReasonOnlyPersonActions } from './person-actions.ts';

test.each([
  ['ben@usc.edu', true],
  ['ben@home.example', false],
])('offers a reset link only for a campus address: %s', (email, isOffered) => {
  const person = { email, campus_email: 'ben@usc.edu', sessions: 0 } as ConsolePersonDetail;
  const actions = listReasonOnlyPersonActions(person, { isOwn: false, campus }).map(({ action }) => action);
  expect(actions.includes('send_reset_link')).toBe(isOffered);
});
