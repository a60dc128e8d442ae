import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { createDeal } from '#contract/testing.ts';
import { createConversation } from '#web/conversations/testing.ts';
import { createUnavailableError } from '#web/lib/api-error.ts';
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

const { DealPanel } = await import('./deal-panel.tsx');

const conversation = createConversation('lamp');
const open = () =>
  render(
    <MemoryRouter>
      <DealPanel conversation={conversation} ownId="me" otherName="Ben" newestEvent={undefined} />
    </MemoryRouter>,
  );
const failure = page.getByText('Failed to load the deal');

beforeEach(() => {
  queryClient.clear();
  requestMock.mockReset();
});
afterEach(() => {
  vi.restoreAllMocks();
});

test('says that the deal could not be loaded, but not while the device is offline', async () => {
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  requestMock.mockRejectedValue(createUnavailableError());
  await open();
  await expect.poll(() => queryClient.getQueryCache().getAll()[0]?.state.status).toBe('error');
  await expect.element(failure).not.toBeInTheDocument();
  online.mockReturnValue(true);
  window.dispatchEvent(new Event('online'));
  await expect.element(failure).toBeVisible();
});

test('says offline that the server had failed to return the deal', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  requestMock.mockRejectedValue(createUnavailableError(502));
  await open();
  await expect.element(failure).toBeVisible();
});

test('says beside a hold that the seller marked the item as sold', async () => {
  requestMock.mockResolvedValue({
    items: [createDeal({ state: 'held', buyer_id: 'me', marked_as: 'sold' })],
  });
  await open();
  await expect
    .element(page.getByText('On hold for you: $110, although Ben marked it as sold.', { exact: true }))
    .toBeVisible();
});
