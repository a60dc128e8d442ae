import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Calendar } from './calendar.tsx';

vi.mock('#web/lib/use-campus.ts', async () => {
  const { defaultCampus } = await import('#contract/campus.ts');
  return { useCampus: () => defaultCampus };
});

test('a calendar for a range begins with the current week, and its later months are reached by scrolling', async () => {
  const choose = vi.fn();
  await render(
    <Calendar
      mode="range"
      from="2026-11-18"
      today="2026-11-18"
      to="2027-01-20"
      chosen={{}}
      onChoose={choose}
    />,
  );
  await expect.poll(() => page.getByRole('grid').elements()).toHaveLength(3);
  await expect
    .element(page.getByRole('button', { name: 'Saturday, November 14, 2026' }))
    .not.toBeInTheDocument();
  await expect.element(page.getByRole('button', { name: /^Sunday, November 15, 2026/ })).toBeDisabled();
  await page.getByRole('button', { name: 'Wednesday, December 16, 2026' }).click();
  expect(choose).toHaveBeenCalledWith(expect.objectContaining({ first: '2026-12-16' }));
});

test('a calendar of free days names what is taken, begins with the first weekday, and its months are reached by keys', async () => {
  await render(
    <Calendar
      mode="free-days"
      from="2026-11-18"
      today="2026-11-18"
      to="2027-01-20"
      taken={[{ first: '2026-11-20', last: '2026-11-21' }]}
      notes={new Map([['2026-11-22', 'taken until 12:00 PM']])}
    />,
  );
  await expect
    .element(page.getByRole('gridcell', { name: 'Friday, November 20, 2026, not available' }))
    .toBeVisible();
  await expect
    .element(page.getByRole('gridcell', { name: 'Sunday, November 22, 2026, taken until 12:00 PM' }))
    .toBeVisible();
  expect(document.querySelector('th')?.textContent).toBe('Su');
  page.getByRole('button', { name: /next/i }).element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('grid', { name: 'December 2026' })).toBeVisible();
});
