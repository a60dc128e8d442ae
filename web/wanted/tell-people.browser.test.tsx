import { afterEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { calls } from '#contract/calls.ts';
import { createTestApi, refuse } from '#web/testing/api.ts';
import { openScreen } from '#web/testing/screen.tsx';
import { TellPeople } from './tell-people.tsx';

const api = createTestApi();
const id = '3f0f2a53-5d0f-4c53-9a8f-0a4f6d1a5b11';
const tell = page.getByRole('button', { name: 'Tell them' });
const open = () =>
  openScreen('/', {
    '/': () => (
      <>
        <TellPeople listingId={id} />
        <p>Next steps</p>
      </>
    ),
  });
afterEach(() => vi.restoreAllMocks());

test.each([
  ['nobody looks for it', () => ({ people: 0 })],
  [
    'they cannot be counted',
    () => {
      throw refuse('unavailable');
    },
  ],
])('shows nothing if %s', async (_, count) => {
  api.answer(calls.countPeopleToTell, count);
  await open();
  await expect.poll(() => api.listRequests(calls.countPeopleToTell)).toHaveLength(1);
  await expect.element(page.getByText('Next steps')).toBeVisible();
  await expect.element(tell).not.toBeInTheDocument();
});

test.each([
  [1, '1 person is looking for this', 'We told them'],
  [3, '3 people are looking for this', 'We told 3 people'],
])('tells %i by a key, says so, and keeps the focus', async (people, hint, told) => {
  api.answer(calls.countPeopleToTell, { people });
  api.answer(calls.tellPeople, { people });
  await open();
  await expect.element(page.getByText(hint)).toBeVisible();
  (tell.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('status').filter({ hasText: told })).toBeVisible();
  await expect.element(tell).not.toBeInTheDocument();
  expect(document.activeElement?.textContent).toBe(told);
});

test('a failure leaves the button, and without a connection it says so', async () => {
  api.answer(calls.countPeopleToTell, { people: 2 });
  api.answer(calls.tellPeople, () => {
    throw refuse('unavailable');
  });
  await open();
  await tell.click();
  await expect.element(page.getByText('They could not be told')).toBeVisible();
  await expect.element(tell).toBeEnabled();
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  window.dispatchEvent(new Event('offline'));
  await expect.element(page.getByRole('button', { name: 'You’re offline' })).toBeDisabled();
});
