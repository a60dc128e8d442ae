import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { calls } from '#contract/calls.ts';

const requestMock = vi.hoisted(() => vi.fn());
vi.mock('#web/lib/api.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof import('#web/lib/api.ts')>()),
  request: requestMock,
}));

const { openScreen } = await import('#web/testing/screen.tsx');
const { SavedSearchesScreen } = await import('./saved-searches-screen.tsx');

const search = { id: 'search', name: 'Hammocks', query: { q: 'hammock' }, alert: 'off', new_count: 3 };

let stored: (typeof search)[];
beforeEach(() => {
  stored = [search];
  requestMock.mockReset().mockImplementation(async (call) => {
    if (call === calls.deleteSavedSearch) stored = [];
    return { items: stored };
  });
});

const deleteSearch = async (): Promise<void> => {
  await openScreen('/', { '/': () => <SavedSearchesScreen ownId="ada" /> });
  await page.getByRole('button', { name: 'Delete: Hammocks' }).click();
  await expect.element(page.getByText('No saved searches yet')).toBeVisible();
};

test('Undo restores a deleted search with the number of its new matches', async () => {
  await deleteSearch();
  stored = [search];
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.element(page.getByText('3 new')).toBeVisible();
  const body = { name: 'Hammocks', query: { q: 'hammock' }, alert: 'off', restores: 'search' };
  expect(requestMock.mock.calls).toContainEqual([calls.saveSearch, { body }]);
  await expect.element(page.getByText('Search restored')).toBeVisible();
});

test('Undo says why a search cannot be restored', async () => {
  await deleteSearch();
  requestMock.mockRejectedValue(new Error('You have saved 25 searches.'));
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.element(page.getByText('Failed to restore search')).toBeVisible();
  await expect.element(page.getByText('You have saved 25 searches.')).toBeVisible();
});
