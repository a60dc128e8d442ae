import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { calls } from '#contract/calls.ts';
import { defaultCampus } from '#contract/campus.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useContractForm } from '#web/lib/use-contract-form.ts';
import { createTestApi } from '#web/testing/api.ts';
import { ListingFields } from './listing-fields.tsx';
import {
  blankListingFormValues,
  type CreateListingBody,
  type ListingFormValues,
  validateListing,
} from './submission.ts';

vi.mock('#web/lib/use-campus.ts', () => ({ useCampus: () => defaultCampus }));

const api = createTestApi();
api.mayAnswer(calls.findSalePrices, { range: null });
beforeEach(() => queryClient.clear());

function Form() {
  const form = useContractForm<ListingFormValues, CreateListingBody>({
    schema: (typed) =>
      validateListing(
        typed,
        { photos: [], status: 'draft', id: undefined, clientId: 'client' },
        { today: '2026-03-02', campus: defaultCampus },
      ),
    defaultValues: { ...blankListingFormValues, category: 'game-day' },
    editing: 'clears',
  });
  return <ListingFields form={form} campus={defaultCampus} today="2026-03-02" ownEmail="sam@usc.edu" />;
}

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
  await render(<Form />);
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
});
