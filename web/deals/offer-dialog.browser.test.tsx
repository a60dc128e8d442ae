import { createRoutesStub } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import type { CallDeclaration } from '#contract/calls/declare-call.ts';
import { calls } from '#contract/calls.ts';
import { defaultCampus, toCampusDay } from '#contract/campus.ts';
import type { Listing } from '#contract/listings.ts';
import type { RentalPeriod } from '#contract/rental-times.ts';
import { createDeal } from '#contract/testing.ts';
import { ApiError } from '#web/lib/api-error.ts';
import { queryClient } from '#web/lib/query-client.ts';

const requestMock = vi.hoisted(() => vi.fn());
const toastMock = vi.hoisted(() => ({ error: vi.fn(), message: vi.fn(), success: vi.fn() }));
vi.mock('#web/lib/api.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof import('#web/lib/api.ts')>()),
  request: requestMock,
}));
vi.mock('#web/lib/use-campus.ts', async () => {
  const { defaultCampus } = await import('#contract/campus.ts');
  return { useCampus: () => defaultCampus };
});
vi.mock('#web/ui/toast.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof import('#web/ui/toast.ts')>()),
  toast: toastMock,
}));

const { OfferDialog } = await import('./offer-dialog.tsx');

// The dialog reads only these fields of a listing that is for sale.
const lamp = { id: createDeal().id, slug: 'lamp', price: 110, seller: { name: 'Maya' } } as Listing;
const bike = { ...lamp, slug: 'bike', price: 10, is_price_firm: true, rental_period: 'day' } as Listing;
const priceError = new ApiError(400, {
  error: 'The price of this listing is firm',
  code: 'validation_failed',
  fields: { price: 'The price of this listing is firm' },
});

let currentPrice: number;
let listing: Listing;
let takenDays: RentalPeriod[];
const sentPrices: number[] = [];
const onClose = vi.fn();
const open = (name: 'ask' | 'offer' | 'claim' | 'request' = 'ask') => {
  const Router = createRoutesStub([
    {
      path: '*',
      Component: () => <OfferDialog name={name} listing={listing} ownId="me" onClose={onClose} />,
    },
  ]);
  return render(<Router />);
};
const send = () => page.getByRole('button', { name: 'Send request' }).click();

beforeEach(() => {
  queryClient.clear();
  vi.clearAllMocks();
  listing = lamp;
  takenDays = [];
  currentPrice = 110;
  sentPrices.length = 0;
  requestMock.mockImplementation(async (call: CallDeclaration, { body }: { body?: { price: number } }) => {
    if (call === calls.findListingDeal) return { deal: null, other_offers: 0, taken_days: takenDays };
    if (call === calls.getListing) return { ...listing, price: currentPrice };
    sentPrices.push(body?.price ?? Number.NaN);
    if (body?.price !== currentPrice * (listing === bike ? 3 : 1)) throw priceError;
    return createDeal();
  });
});

test('asks for the price that the listing has when the dialog opens', async () => {
  currentPrice = 90;
  await open();
  await expect.element(page.getByText('request to buy for $90', { exact: false })).toBeVisible();
  await send();
  await expect.poll(() => sentPrices).toEqual([90]);
});

test('names the new price when a firm price changed while the dialog was open', async () => {
  await open();
  await expect.element(page.getByRole('button', { name: 'Send request' })).toBeEnabled();
  currentPrice = 90;
  await send();
  await expect.poll(() => toastMock.error.mock.calls).toEqual([['The price is now $90']]);
  await expect.element(page.getByText('request to buy for $90', { exact: false })).toBeVisible();
  await send();
  await expect.poll(() => sentPrices).toEqual([110, 90]);
});

test('the total of a rental request follows the price that changed while the dialog was open', async () => {
  listing = bike;
  currentPrice = 10;
  await open('request');
  const sendDays = page.getByRole('button', { name: 'Request these days' });
  await expect.element(page.getByRole('dialog').getByRole('button', { name: 'Choose days' })).toBeVisible();
  await expect.element(sendDays).not.toBeInTheDocument();
  const days = page.getByRole('grid').nth(1).getByRole('gridcell').getByRole('button');
  await days.nth(9).click();
  await days.nth(11).click();
  await expect.element(page.getByRole('textbox', { name: /Total price/ })).toHaveValue('30');
  currentPrice = 8;
  await sendDays.click();
  await expect.poll(() => toastMock.error.mock.calls).toEqual([['The price has changed']]);
  await expect.element(page.getByRole('textbox', { name: /Total price/ })).toHaveValue('24');
  await sendDays.click();
  await expect.poll(() => sentPrices).toEqual([30, 24]);
});

test('a rental request has times, explains its total, and names the rule that it breaks', async () => {
  listing = {
    ...lamp,
    slug: 'bike',
    price: 10,
    is_price_firm: false,
    rental_period: 'day',
    week_price: 30,
    max_rental_days: 9,
  } as Listing;
  currentPrice = 10;
  await open('request');
  const days = page.getByRole('grid').nth(1).getByRole('gridcell').getByRole('button');
  await days.nth(9).click();
  await days.nth(17).click();
  await expect.element(page.getByText('9 days: 1 week + 2 days, $50')).toBeVisible();
  await expect.element(page.getByRole('textbox', { name: /Total price/ })).toHaveValue('50');
  await page.getByRole('combobox', { name: 'Pick-up from' }).selectOptions('12:00');
  await page.getByRole('combobox', { name: 'Return by' }).selectOptions('12:00');
  await expect.element(page.getByText('8 days: 1 week + 1 day, $40')).toBeVisible();
  await days.nth(19).click();
  await expect.element(page.getByText('Rented out for at most 9 days')).toBeVisible();
});

test('a rental request begins when the item is free, and none is sent for a time that somebody else has', async () => {
  listing = bike;
  currentPrice = 10;
  const [year = 0, month = 0] = toCampusDay(defaultCampus, new Date()).split('-').map(Number);
  const toDay = (day: number) => new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);
  takenDays = [
    { first_day: toDay(8), last_day: toDay(10), return_time: '12:00' },
    { first_day: toDay(13), last_day: toDay(13), pickup_time: '09:00', return_time: '11:00' },
  ];
  await open('request');
  const days = page.getByRole('grid').nth(1).getByRole('gridcell').getByRole('button');
  await days.nth(9).click();
  await days.nth(11).click();
  const pickup = page.getByRole('combobox', { name: 'Pick-up from' });
  await expect.element(pickup).toHaveValue('12:00');
  const error = page.getByText(/^Somebody else has it/);
  await expect.element(error).not.toBeInTheDocument();
  await pickup.selectOptions('Choose a time');
  await page.getByRole('button', { name: 'Request these days' }).click();
  await expect.element(page.getByText(/^Somebody else has it until\s\w+\s10,\s12:00\sPM$/)).toBeVisible();
  await pickup.selectOptions('12:00');
  await expect.element(error).not.toBeInTheDocument();
  await days.nth(13).click();
  await expect.element(page.getByText(/^Somebody else has it from\s\w+\s13,\s9:00\sAM$/)).toBeVisible();
  await days.nth(11).click();
  await page.getByRole('button', { name: 'Request these days' }).click();
  await expect.poll(() => sentPrices).toEqual([30]);
});

test('a tap fills in a usual offer, and an offer above the price is sent only after a question', async () => {
  await open('offer');
  const price = page.getByRole('textbox', { name: /Your offer/ });
  await page.getByRole('button', { name: '$99 (−10%)' }).click();
  await expect.element(price).toHaveValue('99');
  await expect.element(page.getByRole('button', { name: '$110' })).toBeVisible();
  await price.fill('120');
  await page.getByRole('button', { name: 'Send offer' }).click();
  const question = page.getByText('That’s more than the price. Send anyway?');
  await expect.element(question).toBeVisible();
  expect(sentPrices).toEqual([]);
  await price.fill('130');
  await expect.element(question).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Send offer' }).click();
  await page.getByRole('button', { name: 'Send anyway' }).click();
  await expect.poll(() => sentPrices).toEqual([130]);
});

test('the request for an item that is drawn says when the draw closes', async () => {
  listing = {
    ...lamp,
    category: 'free',
    price: 0,
    gift_mode: 'draw',
    draw_closes_at: new Date(Date.now() + 3_600_000).toISOString(),
  };
  currentPrice = 0;
  await open('claim');
  await expect.element(page.getByText(/^You take part in a draw\. It closes on /)).toBeVisible();
});
