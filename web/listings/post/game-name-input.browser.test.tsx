import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { calls } from '#contract/calls.ts';
import { defaultCampus } from '#contract/campus.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { createTestApi } from '#web/testing/api.ts';
import { ListingFieldsForm } from './listing-fields-form.tsx';

vi.mock('#web/lib/use-campus.ts', () => ({ useCampus: () => defaultCampus }));

const api = createTestApi();
api.mayAnswer(calls.findSalePrices, { range: null });
beforeEach(() => queryClient.clear());

const name = page.getByRole('combobox', { name: 'Game or event' });
const date = page.getByLabelText('Game date');
const question = page.getByRole('group', { name: 'Which day?' });

test('a game of the calendar sets the date; of one that is played twice, the day is asked', async () => {
  api.answer(calls.listGames, {
    items: [
      { day: '2026-03-07', name: 'Bears' },
      { day: '2026-03-14', name: 'Rivals' },
      { day: '2026-04-04', name: 'Rivals' },
    ],
  });
  await render(<ListingFieldsForm values={{ category: 'game-day' }} />);
  await expect.poll(() => document.querySelectorAll('datalist option[value="Rivals"]').length).toBe(1);
  await name.fill('Bears');
  await expect.element(date).toHaveValue('2026-03-07');
  await expect.element(question).not.toBeInTheDocument();
  await name.fill('Rivals');
  await expect.element(date).toHaveValue('');
  const second = question.getByRole('button', { name: 'Apr 4' });
  await second.click();
  await expect.element(date).toHaveValue('2026-04-04');
  await expect.element(second).toHaveAttribute('aria-pressed', 'true');
  await name.fill('Rivals, north stand');
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(date).toHaveValue('2026-04-04');

  // A day that was typed stays.
  await date.fill('2026-05-02');
  await name.fill('Rivals');
  await expect.element(question).toBeVisible();
  await expect.element(date).toHaveValue('2026-05-02');
});

test('the question for the day is announced, and answered by the keyboard', async () => {
  api.answer(calls.listGames, {
    items: [
      { day: '2026-03-14', name: 'Rivals' },
      { day: '2026-04-04', name: 'Rivals' },
    ],
  });
  await render(<ListingFieldsForm values={{ category: 'game-day' }} />);
  await expect.poll(() => document.querySelectorAll('datalist option[value="Rivals"]').length).toBe(1);
  // Screen readers announce what changes in an element that was there before.
  const status = document.querySelector('input[list] ~ * [role="status"]');
  expect(status?.textContent).toBe('');
  await name.fill('Rivals');
  await expect.poll(() => status?.textContent).toBe('Which day?');
  await expect.element(name).toHaveFocus();
  await userEvent.tab();
  await userEvent.tab();
  await userEvent.keyboard('{Enter}');
  await expect.element(date).toHaveValue('2026-04-04');
  await expect.element(question.getByRole('button', { name: 'Apr 4' })).toHaveFocus();
});
