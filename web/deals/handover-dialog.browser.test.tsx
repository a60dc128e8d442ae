import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { dealErrorMessages } from '#contract/deals.ts';
import { createDeal } from '#contract/testing.ts';

const requestMock = vi.hoisted(() => vi.fn());
vi.mock('#web/lib/api.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof import('#web/lib/api.ts')>()),
  request: requestMock,
}));
vi.mock('#web/lib/use-campus.ts', async () => {
  const { defaultCampus } = await import('#contract/campus.ts');
  return { useCampus: () => defaultCampus };
});

const { ApiError } = await import('#web/lib/api.ts');
const { SuggestHandoverDialog } = await import('./handover-dialog.tsx');

const deal = createDeal({ state: 'held' });
const open = () =>
  render(<SuggestHandoverDialog deal={deal} ownId="ada" otherName="Ben" onClose={vi.fn()} />);
const getSelect = (name: string) => page.getByRole('combobox', { name });
const listLabels = (name: string) =>
  [...(getSelect(name).element() as HTMLSelectElement).options].map(({ label }) => label);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T22:05:00.000Z') });
  requestMock.mockReset().mockResolvedValue({ items: [] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('offers only future times today, in chronological order, and keeps a time that the server refused', async () => {
  const dialog = await open();
  await expect.element(getSelect('Time 1')).toHaveValue('12:00');
  await getSelect('Day 1').selectOptions('Today');
  await expect.element(getSelect('Time 1')).toHaveValue('14:15');
  expect([listLabels('Time 1').at(0), listLabels('Time 1').at(-1)]).toEqual(['2:15 PM', '11:45 PM']);
  await getSelect('Day 1').selectOptions('Tomorrow');
  await expect.poll(() => listLabels('Time 1').at(0)).toBe('12:00 AM');
  expect(listLabels('Time 1').at(-1)).toBe('11:45 PM');

  await getSelect('Day 1').selectOptions('Today');
  await getSelect('Time 1').selectOptions('2:30 PM');
  await page.getByRole('button', { name: 'Add another time' }).click();
  await page.getByRole('textbox', { name: 'Place' }).fill('The fountain');
  vi.setSystemTime(new Date('2026-11-22T22:40:00.000Z'));
  requestMock.mockRejectedValueOnce(
    new ApiError(400, {
      error: '',
      code: 'validation_failed',
      fields: { times: dealErrorMessages.timePast },
    }),
  );
  await page.getByRole('button', { name: 'Send suggestion' }).click();
  await expect.element(page.getByText(dealErrorMessages.timePast)).toBeVisible();
  await expect.element(getSelect('Time 1')).toHaveValue('14:30');
  await expect.element(getSelect('Time 1')).toHaveAccessibleDescription('This time has passed.');
  await expect.element(getSelect('Time 2')).not.toBeInvalid();
  await dialog.unmount();

  await open();
  await expect.element(getSelect('Day 1')).toHaveValue('2026-11-22');
  await expect.element(getSelect('Time 1')).toHaveValue('14:30');
  await expect.element(getSelect('Time 2')).toHaveValue('17:00');
});

test('offers times up to exactly 14 days ahead, and replaces a chosen time that is too late on a new day', async () => {
  await open();
  await getSelect('Day 1').selectOptions('Tomorrow');
  await getSelect('Time 1').selectOptions('5:00 PM');
  await getSelect('Day 1').selectOptions('Sun, Dec 6');
  await expect.element(getSelect('Time 1')).toHaveValue('14:00');
  expect([listLabels('Day 1').at(-1), listLabels('Time 1').at(-1)]).toEqual(['Sun, Dec 6', '2:00 PM']);
});
