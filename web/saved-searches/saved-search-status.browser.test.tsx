import { beforeEach, expect, test, vi } from 'vitest';
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
const visit = [calls.changeSavedSearch, { params: { id: 'search' }, body: { visited: true } }];
const onVisit = vi.fn();
const open = () =>
  render(
    <SavedSearchStatus
      ownId="ada"
      query={search.query}
      isOpen={false}
      onSaved={() => {}}
      onClose={() => {}}
      onVisit={onVisit}
    />,
  );
const getBadge = () => page.getByText('1 new since your last visit');

let newIds: string[];
beforeEach(() => {
  newIds = [];
  onVisit.mockReset();
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
