import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { dealErrorMessages } from '#contract/deals.ts';
import { createDeal } from '#contract/testing.ts';
import { queryClient } from '#web/lib/query-client.ts';

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
/** Replaces the usual time that is chosen at first by one from the lists of days and times. */
const openLists = async () => {
  await page.getByRole('button', { name: 'Tomorrow 12 PM' }).click();
  await page.getByRole('button', { name: 'Another time' }).click();
};
const getSelect = (name: string) => page.getByRole('combobox', { name });
const listLabels = (name: string) =>
  [...(getSelect(name).element() as HTMLSelectElement).options].map(({ label }) => label);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T22:05:00.000Z') });
  queryClient.clear();
  requestMock.mockReset().mockResolvedValue({ items: [] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('offers only future times today, in chronological order, and keeps a time that the server refused', async () => {
  const dialog = await open();
  await openLists();
  await expect.element(getSelect('Time 1')).toHaveValue('15:00');
  await getSelect('Day 1').selectOptions('Today');
  await getSelect('Time 1').selectOptions('2:15 PM');
  expect([listLabels('Time 1').at(0), listLabels('Time 1').at(-1)]).toEqual(['2:15 PM', '11:45 PM']);
  await getSelect('Day 1').selectOptions('Tomorrow');
  await expect.poll(() => listLabels('Time 1').at(0)).toBe('12:00 AM');
  expect(listLabels('Time 1').at(-1)).toBe('11:45 PM');

  await getSelect('Day 1').selectOptions('Today');
  await getSelect('Time 1').selectOptions('2:30 PM');
  await page.getByRole('button', { name: 'Another time' }).click();
  await page.getByRole('textbox', { name: 'Place' }).fill('The fountain');
  vi.setSystemTime(new Date('2026-11-22T22:40:00.000Z'));
  requestMock.mockRejectedValueOnce(
    new ApiError(400, {
      error: '',
      code: 'validation_failed',
      fields: { times: dealErrorMessages.timePast },
    }),
  );
  await page.getByRole('button', { name: /^Suggest / }).click();
  await expect.element(page.getByText(dealErrorMessages.timePast)).toBeVisible();
  await expect.element(getSelect('Time 1')).toHaveValue('14:30');
  await expect.element(getSelect('Time 1')).toHaveAccessibleDescription('This time has passed.');
  await expect.element(getSelect('Time 2')).not.toBeInvalid();
  await dialog.unmount();

  await open();
  await expect.element(getSelect('Day 1')).toHaveValue('2026-11-22');
  await expect.element(getSelect('Time 1')).toHaveValue('14:30');
  await expect.element(getSelect('Time 2')).toHaveValue('15:00');
});

test('offers times up to exactly 14 days ahead, and replaces a chosen time that is too late on a new day', async () => {
  await open();
  await openLists();
  await getSelect('Time 1').selectOptions('5:15 PM');
  await getSelect('Day 1').selectOptions('Sun, Dec 6');
  await expect.element(getSelect('Time 1')).toHaveValue('14:00');
  expect([listLabels('Day 1').at(-1), listLabels('Time 1').at(-1)]).toEqual(['Sun, Dec 6', '2:00 PM']);
});

test('usual times are chosen by one tap, up to three, and the button says what it sends', async () => {
  requestMock.mockImplementation(async ({ path }: { path: string }) =>
    path.includes('meeting-spots')
      ? {
          items: ['Tommy Trojan', 'Doheny Library'].map((name) => ({
            id: name,
            name,
            landmark: name === 'Doheny Library' ? 'Front steps' : null,
            is_indoors: null,
            is_lit: null,
            has_camera_or_phone: null,
            opening_hours: null,
          })),
        }
      : { location: 'Doheny Library, USC' },
  );
  await render(
    <SuggestHandoverDialog
      deal={deal}
      ownId="ada"
      otherName="Ben"
      listing={{ slug: 'lamp', price: 110 }}
      onClose={vi.fn()}
    />,
  );
  const getButton = (name: string) => page.getByRole('button', { name, exact: true });
  await expect.element(getButton('Suggest Tomorrow 12 PM, Doheny Library')).toBeVisible();
  await getButton('Tomorrow 12 PM').click();
  await getButton('Tue 5 PM').click();
  await expect.element(getButton('Tue 5 PM')).toHaveAttribute('aria-pressed', 'true');
  await expect.element(getButton('Suggest Tue 5 PM, Doheny Library')).toBeVisible();
  await getButton('Today 5 PM').click();
  await getButton('Wed 12 PM').click();
  await expect.element(getButton('Suggest 3 times, Doheny Library')).toBeVisible();
  await expect.element(getButton('Tue 12 PM')).toBeDisabled();
  const place = page.getByRole('button', { name: 'Where Doheny Library Front steps' });
  await place.click();
  await expect.element(page.getByRole('radio').first()).toBeChecked();
  await userEvent.keyboard('{Tab}{ArrowDown}');
  await expect.element(getButton('Suggest 3 times, Tommy Trojan')).toBeVisible();
  await expect.element(page.getByRole('radio', { name: 'Tommy Trojan' })).toHaveFocus();
  await page.getByText('Somewhere else').click();
  await expect.element(page.getByRole('radio').first()).not.toBeInTheDocument();
  await expect.element(page.getByRole('button', { name: 'Where Somewhere else' })).toHaveFocus();
  await expect.element(page.getByRole('textbox', { name: 'Place' })).toBeVisible();
});
