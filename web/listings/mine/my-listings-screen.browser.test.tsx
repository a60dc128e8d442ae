import { MemoryRouter } from 'react-router';
import { toast as sonner } from 'sonner';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { calls } from '#contract/calls.ts';
import type { Deal } from '#contract/deals.ts';
import type { OwnListing } from '#contract/listings.ts';
import { createDeal } from '#contract/testing.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { Toaster } from '#web/ui/toaster.tsx';

const requestMock = vi.hoisted(() => vi.fn());
vi.mock('#web/lib/api.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof import('#web/lib/api.ts')>()),
  request: requestMock,
}));
vi.mock('#web/lib/use-campus.ts', async () => {
  const { defaultCampus } = await import('#contract/campus.ts');
  return { useCampus: () => defaultCampus };
});

const { MyListingsScreen } = await import('./my-listings-screen.tsx');

const lamp = {
  id: 'lamp',
  slug: 'lamp',
  user_id: 'ada',
  title: 'Lamp',
  price: 5,
  category: 'furniture',
  status: 'published',
  photos: [],
  images: [],
  is_on_hold: false,
  rented_until: null,
  rental: null,
  open_deals: 0,
  save_count: 0,
  sale_confirmed_at: null,
  sold_to_name: null,
  hidden_reason: null,
  requested_changes: null,
  published_at: '2026-03-02T18:00:00.000Z',
  created_at: '2026-03-02T18:00:00.000Z',
} as unknown as OwnListing;
let listing: OwnListing;
let deals: Deal[] | Promise<Deal[]>;

beforeEach(() => {
  queryClient.clear();
  listing = lamp;
  deals = [];
  requestMock.mockReset().mockImplementation(async (call) => {
    if (call === calls.listInterestedPeople) return { items: [] };
    if (call === calls.listDealsOfListing) return { items: await deals };
    if (call === calls.markListingSold) listing = { ...lamp, status: 'sold' };
    if (call === calls.relistListing) listing = lamp;
    if (call !== calls.listMyListings) return listing;
    const isSold = listing.status === 'sold';
    const counts = { active: Number(!isSold), on_hold: 0, sold: Number(isSold), rented: 0, drafts: 0 };
    return { items: [listing], counts, next_cursor: null };
  });
});
// The toast library keeps open toasts in a module variable, so they would remain in the next test.
afterEach(() => void sonner.dismiss());

const undo = page.getByRole('button', { name: 'Undo' });
const activeTab = page.getByRole('tab', { name: /^Active/ });
const pressEnter = async (button: Locator) => {
  await expect.element(button).toBeEnabled();
  (button.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
};

const open = async () => {
  await page.viewport(1280, 800);
  await render(
    <MemoryRouter>
      <MyListingsScreen ownId="ada" />
      <Toaster />
    </MemoryRouter>,
  );
};

const sell = async () => {
  await open();
  await pressEnter(page.getByRole('button', { name: 'Mark as Sold Lamp' }));
  await pressEnter(page.getByRole('dialog').getByRole('button', { name: 'Mark as Sold' }));
  await expect.element(page.getByText('Marked as sold')).toBeVisible();
  await expect.element(undo).toHaveFocus();
};

test('after a sale the focus moves to Undo, and after Undo it moves to the selected tab', async () => {
  await sell();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('Relisted')).toBeVisible();
  await expect.element(activeTab).toHaveFocus();
});

test('a sold listing shows the offers about it', async () => {
  deals = [createDeal()];
  await sell();
  await page.getByRole('tab', { name: 'Sold 1' }).click();
  await page.getByRole('button', { name: 'Offers Lamp' }).click();
  await expect.element(page.getByRole('dialog', { name: 'Offers' })).toBeVisible();
});

test('Relist closes the toast that offers Undo', async () => {
  await sell();
  await page.getByRole('tab', { name: 'Sold 1' }).click();
  await page.getByRole('button', { name: 'Relist Lamp' }).click();
  await expect.element(page.getByText('Relisted')).toBeVisible();
  // The toast would disappear by itself after ten seconds.
  await expect.element(page.getByText('Marked as sold'), { timeout: 3000 }).not.toBeInTheDocument();
});

test.each([
  ['Delete', 'Delete this listing?'],
  ['Mark as Draft', 'Mark as draft?'],
])('%s names offers that the loaded list does not contain', async (label, title) => {
  deals = [createDeal()];
  await open();
  await page.getByRole('button', { name: `${label} Lamp` }).click();
  await expect.element(page.getByRole('dialog', { name: title })).toBeVisible();
  await expect.element(page.getByText(/asked for it\.$/)).toBeVisible();
  expect(requestMock).not.toHaveBeenCalledWith(calls.deleteListing, expect.anything());
  expect(requestMock).not.toHaveBeenCalledWith(calls.setListingStatus, expect.anything());
});

test('Mark as Sold names offers that the loaded list does not contain before it can be chosen', async () => {
  const { promise, resolve } = Promise.withResolvers<Deal[]>();
  deals = promise;
  await open();
  await page.getByRole('button', { name: 'Mark as Sold Lamp' }).click();
  const choice = page.getByRole('dialog').getByRole('button', { name: 'Mark as Sold' });
  await expect.element(choice).toBeDisabled();
  resolve([createDeal()]);
  await expect.element(page.getByText(/asked for it\.$/)).toBeVisible();
  await expect.element(choice).toBeEnabled();
});
