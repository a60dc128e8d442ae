import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { SavedSearch } from '#contract/saved-searches.ts';
import { getRecorded } from '#web/testing/recorded.ts';
import { openScreen } from '#web/testing/screen.tsx';
import { SavedSearchDialog } from './search-dialog.tsx';

const [saved] = getRecorded('listSavedSearches').items;
const open = (query: object) =>
  openScreen('/', {
    '/': () => (
      <SavedSearchDialog
        ownId={getRecorded('getMe').id}
        search={{ ...(saved as SavedSearch), query, alert: 'daily' }}
        onClose={() => {}}
      />
    ),
  });
const dialog = page.getByRole('dialog');

test('a search needs a name', async () => {
  await open({ q: 'hammock' });
  await dialog.getByLabelText(/^Name/).fill('');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect.element(dialog.getByText('Please enter a name for this search')).toBeVisible();
});

test('a category without a filter offers no instant alerts, and the dialog says why', async () => {
  await open({ category: 'furniture' });
  await expect.element(dialog.getByRole('radio', { name: /^Once a day/ })).toBeChecked();
  expect(dialog.getByRole('radio').elements()).toHaveLength(2);
  await expect
    .element(
      dialog.getByText('Instant alerts need a search text, or a category with a filter', { exact: false }),
    )
    .toBeVisible();
});
