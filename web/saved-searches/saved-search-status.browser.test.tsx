import { beforeEach, describe, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { calls } from '#contract/calls.ts';

const requestMock = vi.hoisted(() => vi.fn());
vi.mock('#web/lib/api.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof import('#web/lib/api.ts')>()),
  request: requestMock,
}));
vi.mock('#web/lib/use-campus.ts', async () => {
  const { defaultCampus } = await import('#contract/campus.ts');
  return { useCampus: () => defaultCampus };
});

const { queryClient } = await import('#web/lib/query-client.ts');
const { savedSearchesQuery } = await import('./saved-searches.ts');
const { SavedSearchStatus } = await import('./saved-search-status.tsx');

const search = { id: 'search', name: 'Hammocks', query: { q: 'hammock' }, alert: 'off', new_count: 0 };
const resultsAt = '2026-03-02T18:00:00.000Z';
const visit = [
  calls.changeSavedSearch,
  { params: { id: 'search' }, body: { visited: true, results_at: resultsAt } },
];
const onVisit = vi.fn();
const toastMock = vi.hoisted(() => ({ error: vi.fn(), message: vi.fn(), success: vi.fn() }));
vi.mock('#web/ui/toast.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof import('#web/ui/toast.ts')>()),
  toast: toastMock,
}));
const onClose = vi.fn();
const renderStatus = (isOpen = false, query: object = search.query) => (
  <SavedSearchStatus
    ownId="ada"
    query={query}
    resultsAt={resultsAt}
    isOpen={isOpen}
    onSaved={() => {}}
    onClose={onClose}
    onVisit={onVisit}
  />
);
const open = () => render(renderStatus());
const getBadge = () => page.getByText('1 new since your last visit');

let newIds: string[];
beforeEach(() => {
  newIds = [];
  vi.clearAllMocks();
  localStorage.setItem('quad.push-declined', 'yes');
  requestMock
    .mockReset()
    .mockImplementation(async (call) =>
      call === calls.changeSavedSearch ? { ...search, new_listing_ids: newIds } : { items: [search] },
    );
  // Another page with results loaded the searches before the latest match.
  queryClient.setQueryData(savedSearchesQuery('ada').queryKey, [search as never]);
});

test('shows what is new since the last visit, although the searches were loaded before', async () => {
  newIds = ['blue hammock'];
  await open();
  await expect.element(getBadge()).toBeVisible();
  expect(onVisit).toHaveBeenCalledWith(new Set(newIds));
});

test('records a visit although nothing is new, so that what the person sees is not announced', async () => {
  await open();
  await expect.poll(() => requestMock.mock.calls).toContainEqual(visit);
  await expect.poll(() => onVisit.mock.calls).toContainEqual([new Set()]);
  await expect.element(getBadge()).not.toBeInTheDocument();
});

test('shows the number that is known if the visit cannot be recorded', async () => {
  queryClient.setQueryData(savedSearchesQuery('ada').queryKey, [{ ...search, new_count: 1 } as never]);
  requestMock.mockRejectedValue(new TypeError('The connection was lost'));
  await open();
  await expect.element(getBadge()).toBeVisible();
});

describe('a tap on the button', () => {
  const desks = { category: 'furniture' };
  const body = { name: 'Furniture', query: desks, alert: 'daily' };
  const saves = () => requestMock.mock.calls.filter(([call]) => call === calls.saveSearch);

  test('saves the search at once, under a suggested name', async () => {
    requestMock.mockImplementation(async (call) =>
      call === calls.listSavedSearches ? { items: [search] } : { ...body, id: 'desks', new_listing_ids: [] },
    );
    const screen = await render(renderStatus(true, desks));
    await expect.poll(() => saves()).toEqual([[calls.saveSearch, { body }]]);
    await expect.poll(() => onClose.mock.calls.length).toBe(1);
    expect(toastMock.success.mock.calls).toEqual([
      ['Search saved', 'You hear about new listings once a day.'],
    ]);
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();

    await screen.rerender(renderStatus(false, desks));
    await screen.rerender(renderStatus(true, desks));
    await expect.element(page.getByRole('dialog', { name: 'Edit saved search' })).toBeVisible();
    await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Furniture');
    expect(saves()).toHaveLength(1);
  });

  test('says why the search cannot be saved', async () => {
    requestMock.mockRejectedValue(new Error('You have saved 25 searches.'));
    await render(renderStatus(true, desks));
    await expect
      .poll(() => toastMock.error.mock.calls)
      .toEqual([['Failed to save search', 'You have saved 25 searches.']]);
    expect(onClose).toHaveBeenCalledOnce();
  });

  test('never replaces a saved search that could not be loaded before', async () => {
    queryClient.clear();
    requestMock.mockRejectedValueOnce(new TypeError('The connection was lost'));
    await render(renderStatus(true));
    await expect.element(page.getByRole('dialog', { name: 'Edit saved search' })).toBeVisible();
    expect(saves()).toEqual([]);
  });
});
