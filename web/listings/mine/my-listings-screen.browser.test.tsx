import { MemoryRouter } from 'react-router';
import { toast as sonner } from 'sonner';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
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
  requestMock.mockReset().mockImplementation(async (call, input) => {
    if (call === calls.listInterestedPeople) return { items: [] };
    if (call === calls.listDealsOfListing) return { items: await deals };
    if (call === calls.changeListingPrice) listing = { ...listing, price: input.body.price };
    if (call === calls.setListingStatus) listing = { ...listing, status: input.body.status };
    if (call === calls.markListingSold) listing = { ...lamp, status: 'sold' };
    if (call === calls.relistListing) listing = lamp;
    if (call === calls.answerAvailability)
      listing = {
        ...lamp,
        status: ({ yes: 'published', sold: 'sold', hide: 'draft' } as const)[input.body.answer as 'yes'],
      };
    if (call !== calls.listMyListings) return listing;
    const count = (status: string) => Number(listing.status === status);
    const counts = {
      active: count('published'),
      on_hold: 0,
      sold: count('sold'),
      rented: 0,
      drafts: count('draft'),
    };
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
  await sell();
  deals = [createDeal()];
  await page.getByRole('tab', { name: 'Sold 1' }).click();
  await page.getByRole('button', { name: 'Offers Lamp' }).click();
  await expect.element(page.getByRole('dialog', { name: 'Offers' })).toBeVisible();
});

test('a passed game is among the drafts, where it can be marked as sold but not published', async () => {
  listing = { ...lamp, status: 'draft', ended_at: '2026-11-22T08:00:00.000Z' };
  await open();
  await page.getByRole('tab', { name: 'Drafts 1' }).click();
  await expect.element(page.getByText('Game passed')).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Lamp', exact: true })).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Publish Item Lamp' })).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Mark as Sold Lamp' }).click();
  await expect.element(page.getByText('Marked as sold')).toBeVisible();
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

test('Mark as Sold names offers that the loaded list does not contain before they are closed', async () => {
  deals = [createDeal()];
  await open();
  await page.getByRole('button', { name: 'Mark as Sold Lamp' }).click();
  await expect.element(page.getByText(/asked for it\.$/)).toBeVisible();
  await expect.element(page.getByRole('dialog').getByRole('button', { name: 'Mark as Sold' })).toBeEnabled();
  expect(requestMock).not.toHaveBeenCalledWith(calls.markListingSold, expect.anything());
});

test('Sold to names offers that the loaded list does not contain before somebody can be chosen', async () => {
  const { promise, resolve } = Promise.withResolvers<Deal[]>();
  deals = promise;
  await open();
  await page.getByRole('button', { name: 'Sold to… Lamp' }).click();
  const choice = page.getByRole('dialog').getByRole('button', { name: 'Mark as Sold' });
  await expect.element(choice).toBeDisabled();
  resolve([createDeal()]);
  await expect.element(page.getByText(/asked for it\.$/)).toBeVisible();
  await expect.element(choice).toBeEnabled();
});

test('the price changes in place, and Undo restores it', async () => {
  await open();
  await page.getByRole('button', { name: 'Change price of Lamp, $5' }).click();
  const price = page.getByRole('textbox', { name: 'Price' });
  await expect.element(price).toHaveFocus();
  await price.fill('7.50');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('Price changed to $7.50')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Change price of Lamp, $7.50' })).toHaveFocus();
  await undo.click();
  await expect.element(page.getByRole('button', { name: 'Change price of Lamp, $5' })).toBeVisible();
});

test('a price that is refused stays in its field with the reason', async () => {
  await open();
  await page.getByRole('button', { name: /^Change price of Lamp/ }).click();
  const price = page.getByRole('textbox', { name: 'Price' });
  await price.fill('-1');
  await page.getByRole('button', { name: 'Save price' }).click();
  await expect.element(page.getByText('Price must be greater than 0')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('button', { name: 'Change price of Lamp, $5' })).toHaveFocus();
});

test('a price that cannot be sent stays in its field', async () => {
  await open();
  await page.getByRole('button', { name: /^Change price of Lamp/ }).click();
  const price = page.getByRole('textbox', { name: 'Price' });
  await price.fill('7.50');
  requestMock.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  await page.getByRole('button', { name: 'Save price' }).click();
  await expect.element(page.getByText('Failed to update listing')).toBeVisible();
  await expect.element(price).toHaveValue('7.50');
  await page.getByRole('button', { name: 'Save price' }).click();
  await expect.element(page.getByText('Price changed to $7.50')).toBeVisible();
});

test('Undo makes a draft active again', async () => {
  await open();
  await page.getByRole('button', { name: 'Mark as Draft Lamp' }).click();
  await expect.element(page.getByText('Marked as draft')).toBeVisible();
  await undo.click();
  await expect.element(page.getByText('Marked as active')).toBeVisible();
  await expect.element(page.getByRole('tab', { name: 'Active 1' })).toBeVisible();
});

describe('several listings', () => {
  const select = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` }).click();
  const action = (name: string) =>
    page.getByRole('region', { name: 'Selected listings' }).getByRole('button', { name });
  const countBusy = () => document.querySelectorAll('li [aria-busy="true"]').length;
  let own: OwnListing[];
  beforeEach(() => {
    own = ['Lamp', 'Desk', 'Chair'].map((title) => ({ ...lamp, id: title, title, price: 45 }));
    requestMock.mockImplementation(async (call, input) => {
      const update = (change: Partial<OwnListing>) => {
        own = own.map((item) => (item.id === input.params.id ? { ...item, ...change } : item));
        return own.find(({ id }) => id === input.params.id);
      };
      if (call === calls.markListingSold) return update({ status: 'sold' });
      if (call === calls.setListingStatus)
        return update({ status: input.body.status === 'published' ? 'in_review' : 'draft' });
      if (call === calls.relistListing) return update({ status: 'published' });
      if (call === calls.changeListingPrice) {
        if (input.params.id === 'Chair') throw new TypeError('Failed to fetch');
        return update({ price: input.body.price });
      }
      const sold = own.filter(({ status }) => status === 'sold').length;
      const counts = { active: own.length - sold, on_hold: 0, sold, rented: 0, drafts: 0 };
      return { items: own, counts, next_cursor: null };
    });
  });

  test('are marked as sold together, except those with an offer, and Undo lists them again', async () => {
    await open();
    await select('Lamp');
    await select('Desk');
    await select('Chair');
    await expect.element(page.getByText('3 selected')).toBeVisible();
    // Somebody made an offer since the list was loaded.
    own = own.map((item) => (item.id === 'Desk' ? { ...item, open_deals: 1 } : item));
    await action('Sold').click();
    await expect.element(page.getByText('2 marked as sold')).toBeVisible();
    await expect.element(page.getByText('Not changed: “Desk” (has an offer or a hold)')).toBeVisible();
    await expect.element(page.getByRole('tab', { name: 'Sold 2' })).toBeVisible();
    await undo.click();
    await expect.element(page.getByRole('tab', { name: 'Active 3' })).toBeVisible();
  });

  test('say that they are checked if Undo does not publish them at once', async () => {
    await open();
    await select('Lamp');
    await action('Draft').click();
    await expect.element(page.getByText('Marked as draft')).toBeVisible();
    await undo.click();
    await expect.element(page.getByText("We're checking your listing")).toBeVisible();
    await expect.element(page.getByText('Undone')).not.toBeInTheDocument();
  });

  test('are selected from the menu of a row on phones, and the focus stays in the row', async () => {
    await open();
    await page.viewport(360, 740);
    await page.getByRole('button', { name: 'More actions for Desk' }).click();
    await page.getByRole('menuitem', { name: 'Select' }).click();
    await expect.element(page.getByText('1 selected')).toBeVisible();
    await expect.element(page.getByRole('menu')).not.toBeInTheDocument();
    await expect.element(page.getByRole('checkbox', { name: 'Select Desk' })).toHaveFocus();
  });

  test('look busy until all of them are changed', async () => {
    const answer = Promise.withResolvers<void>();
    const respond = requestMock.getMockImplementation();
    requestMock.mockImplementation(async (call, input) => {
      if (call === calls.markListingSold) await answer.promise;
      return respond?.(call, input);
    });
    await open();
    await select('Lamp');
    await select('Desk');
    await action('Sold').click();
    await expect.poll(countBusy).toBe(2);
    answer.resolve();
    await expect.element(page.getByText('2 marked as sold')).toBeVisible();
    await expect.poll(countBusy).toBe(0);
  });

  test('offer no Undo for the first prices of drafts, and it names those among others', async () => {
    const setPrices = async (...names: string[]) => {
      for (const name of names) await select(name);
      await action('Price').click();
      await page.getByRole('radio', { name: 'One price' }).click();
      await page.getByRole('textbox', { name: 'Price' }).fill('8');
      await page.getByRole('button', { name: 'Change', exact: true }).click();
    };
    own = own.map((item) => (item.id === 'Desk' ? item : { ...item, price: null }));
    await open();
    await setPrices('Lamp');
    await expect.element(page.getByText('Price changed')).toBeVisible();
    await expect.element(undo).not.toBeInTheDocument();
    own = own.map((item) => (item.id === 'Lamp' ? { ...item, price: null } : item));
    await setPrices('Lamp', 'Desk');
    await expect.element(page.getByText('2 prices changed')).toBeVisible();
    await undo.click();
    await expect.element(page.getByText('Not changed: “Lamp” (had no price before)')).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Change price of Desk, $45' })).toBeVisible();
  });

  test('get lower prices, and a failure is named', async () => {
    await open();
    await select('Desk');
    await select('Chair');
    await action('Price').click();
    await page.getByRole('radio', { name: '20% off' }).click();
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await expect.element(page.getByText('Price changed')).toBeVisible();
    await expect.element(page.getByText('Not changed: “Chair” (no response)')).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Change price of Desk, $36' })).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Change price of Chair, $45' })).toBeVisible();
  });
});

describe('whether a listing is still available', () => {
  const asked = { ...lamp, asked_at: '2026-04-02T18:00:00.000Z' };
  const question = page.getByText('Still for sale?');

  test('is answered with one tap', async () => {
    listing = asked;
    await open();
    await page.getByRole('button', { name: 'Yes Lamp' }).click();
    await expect.element(page.getByText('Confirmed as available')).toBeVisible();
    await expect.element(question).not.toBeInTheDocument();
  });

  test.each([
    ['Sold', 'Marked as sold'],
    ['Hide', 'Marked as draft'],
  ])('%s can be undone', async (label, message) => {
    listing = asked;
    await open();
    await page.getByRole('button', { name: `${label} Lamp` }).click();
    await expect.element(page.getByText(message)).toBeVisible();
    await undo.click();
    await expect.element(page.getByText('Marked as active')).toBeVisible();
    await expect.element(page.getByRole('tab', { name: 'Active 1' })).toBeVisible();
  });

  test('is not asked about a paused listing, which Make Active returns to the lists', async () => {
    listing = { ...lamp, status: 'draft', paused_at: '2026-04-09T18:00:00.000Z' };
    await open();
    await page.getByRole('tab', { name: 'Drafts 1' }).click();
    await expect.element(page.getByText(/it’s not in the lists/)).toBeVisible();
    await expect.element(question).not.toBeInTheDocument();
    await page.getByRole('button', { name: 'Make Active Lamp' }).click();
    await expect.element(page.getByRole('tab', { name: 'Active 1' })).toBeVisible();
  });
});

test('the hidden listing of a former member has no link to its page, and says why', async () => {
  listing = { ...lamp, awaits_membership: true };
  await open();
  await expect.element(page.getByText('Hidden until your membership is confirmed.')).toBeVisible();
  await expect.element(page.getByRole('heading', { name: 'Lamp' })).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Lamp', exact: true })).not.toBeInTheDocument();
});
