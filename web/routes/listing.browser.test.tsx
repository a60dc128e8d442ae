import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { calls } from '#contract/calls.ts';
import type { OwnListing } from '#contract/listings.ts';
import { createTestApi, refuse } from '#web/testing/api.ts';
import { getRecorded } from '#web/testing/recorded.ts';
import { address, openScreen } from '#web/testing/screen.tsx';
import { signIn, signOut } from '#web/testing/session.ts';
import * as listingScreen from './listing.tsx';

const api = createTestApi();
const recorded = getRecorded('getListing');
const title = 'Adjustable standing desk, walnut top, two memory presets and a cable tray';
const photos = ['front', 'left', 'back', 'right', 'top'].map(
  (side) => `/storage/v1/object/public/${side}.svg`,
);
const listing = {
  ...recorded,
  title,
  price: 1250,
  seller_role: 'Student' as const,
  seller: { ...recorded.seller, usc_verified: true },
  photos,
  images: photos.map((url) => ({
    url,
    width: 1024,
    height: 768,
    thumbhash: recorded.images[0]?.thumbhash ?? '',
  })),
};
api.answer(calls.getListing, listing);
api.answer(calls.listSimilar, { items: [] });

const open = async (width: number, height: number) => {
  await page.viewport(width, height);
  await openScreen(`/listing/${listing.slug}`, { '/listing/:slug': listingScreen });
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent(title);
};
const getPhoto = (position: number) =>
  page.getByRole('img', { name: `${title}, photo ${position} of 5`, exact: true });
const viewerButton = page.getByRole('button', { name: 'View photos full screen' });

afterEach(() => vi.restoreAllMocks());

test('the arrow keys show the next and previous photo, and the viewer opens and leaves at the current one', async () => {
  await open(360, 740);
  const expectPhoto = (position: number) => expect.element(getPhoto(position)).toBeInViewport({ ratio: 0.9 });
  await expectPhoto(1);
  (viewerButton.element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowLeft}');
  await expectPhoto(5);
  await userEvent.keyboard('{ArrowRight}');
  await expectPhoto(1);
  await userEvent.keyboard('{ArrowRight}');
  await expectPhoto(2);
  await userEvent.keyboard('{Enter}');
  const viewer = page.getByRole('dialog', { name: `Photos of ${title}` });
  await expect.element(viewer.getByText('Photo 2 of 5')).toBeVisible();
  await viewer.getByRole('button', { name: 'Next photo' }).click();
  await expect.element(viewer.getByText('Photo 3 of 5')).toBeVisible();
  await viewer.getByRole('button', { name: 'Close' }).click();
  await expect.element(viewer).not.toBeInTheDocument();
  await expectPhoto(3);
  await expect.element(viewerButton).toHaveFocus();
});

test('wide screens show the other photos as thumbnails, which trade places with the current photo', async () => {
  await open(1280, 900);
  const thumbnails = page.getByRole('list', { name: 'More photos' }).getByRole('button');
  expect(thumbnails.elements()).toHaveLength(4);
  await page.getByRole('button', { name: 'Show photo 3 of 5' }).click();
  await expect.element(getPhoto(3)).toBeInViewport({ ratio: 0.9 });
  await expect.element(page.getByRole('button', { name: 'Show photo 3 of 5' })).not.toBeInTheDocument();
  await expect.element(page.getByRole('button', { name: 'Show photo 1 of 5' })).toHaveFocus();
  expect(thumbnails.elements()).toHaveLength(4);
});

test('the page of a passed game says so, without actions, safety tips or contact details', async () => {
  const passed = { unavailable: 'passed', contact_email: null, contact_phone: null } as const;
  api.answer(calls.getListing, { ...listing, ...passed });
  await open(360, 740);
  await expect.element(page.getByText('This game has passed')).toBeVisible();
  await expect.element(page.getByText('Game passed', { exact: true })).toBeVisible();
  for (const name of ['Message Seller', 'Make Offer', 'Safety Tips'])
    await expect.element(page.getByText(name)).not.toBeInTheDocument();
  api.answer(calls.getListing, listing);
});

const deals = {
  sale: {},
  firm: { is_price_firm: true },
  gift: { category: 'free', price: 0 },
  rental: { category: 'rentals' },
} as const;

test.each(
  [360, 768, 1280].flatMap((width) =>
    Object.keys(deals).map((kind) => [width, kind as keyof typeof deals] as const),
  ),
)(
  'Message Seller is a labeled button like that of the deal, at a width of %d px: %s',
  async (width, kind) => {
    api.answer(calls.getListing, { ...listing, ...deals[kind] });
    await open(width, 740);
    const message = page.getByRole('button', { name: 'Message Seller' });
    const deal = page.getByRole('button', { name: /^(Ask to buy|I’d like this|Choose days)/ });
    await expect.element(message).toBeVisible();
    await expect.element(deal).toBeVisible();
    const [own, other] = [message.element(), deal.element()].map((it) => it.getBoundingClientRect());
    expect(own?.height).toBe(other?.height);
    expect(own?.width).toBeGreaterThan(90);
    expect(own?.right).toBeLessThanOrEqual(width);
  },
);

test('on a phone, Make an offer is part of the page, and the bar has room for two buttons', async () => {
  api.answer(calls.getListing, listing);
  await open(360, 740);
  const bar = document.querySelector('[data-action-bar]');
  const offer = page.getByRole('button', { name: 'Make an offer' });
  await expect.element(offer).toBeVisible();
  expect(bar?.contains(offer.element())).toBe(false);
  expect(bar?.getBoundingClientRect().height).toBeLessThan(90);
});

test('a listing with one photo has no counter, and one without photos has a placeholder and no viewer', async () => {
  const [image] = listing.images;
  api.answer(calls.getListing, { ...listing, photos: photos.slice(0, 1), images: image ? [image] : [] });
  await open(360, 740);
  await expect.element(page.getByRole('img', { name: title, exact: true })).toBeVisible();
  await expect.element(page.getByText('1 / 1')).not.toBeInTheDocument();
  await expect.element(viewerButton).toBeVisible();
});

test('on a phone, price and action stay at the bottom, the seller is in view, and the title uses the whole width', async () => {
  api.answer(calls.getListing, { ...listing, photos: [], images: [] });
  await open(360, 740);
  await expect.element(page.getByRole('img', { name: `No photo of ${title}` })).toBeVisible();
  await expect.element(viewerButton).not.toBeInTheDocument();
  const bar = document.querySelector('[data-action-bar]');
  const barTop = bar?.getBoundingClientRect().top ?? 0;
  await expect.element(page.getByRole('button', { name: 'Message Seller' })).toBeInViewport({ ratio: 1 });
  expect(bar?.textContent).toContain('$1,250');
  await expect.element(page.getByText('$1,250.00', { exact: true })).toBeVisible();
  await expect.element(page.getByText('Verified USC Student')).toBeInViewport({ ratio: 1 });
  const seller = page.getByRole('article').getByText(listing.seller.name).element().getBoundingClientRect();
  const description = page.getByRole('heading', { name: 'Description' }).element().getBoundingClientRect();
  expect(seller.top).toBeLessThan(description.top);
  expect(seller.bottom).toBeLessThanOrEqual(barTop);

  const range = document.createRange();
  range.selectNodeContents(page.getByRole('heading', { level: 1 }).element());
  const widths = [...range.getClientRects()].map(({ width }) => Math.round(width / 3.28));
  // A line of the heading may break only where the next word does not fit. Every line except the last must
  // therefore fill most of the width.
  expect(widths.length).toBeGreaterThan(1);
  for (const percent of widths.slice(0, -1)) expect(percent, `${widths}`).toBeGreaterThan(70);
});

test('the page shows the price of its offer dialog, when it opens and when the price changes meanwhile', async () => {
  signIn();
  api.answer(calls.findListingDeal, { deal: null, other_offers: 0, taken_days: [] });
  api.answer(calls.listBlockedIds, { user_ids: [] });
  api.answer(calls.listSavedIds, { listing_ids: [] });
  api.answer(calls.getListing, listing);
  await open(1280, 800);
  const pagePrice = page.getByRole('article').getByText(/^\$[\d,]+\.\d\d$/);
  await expect.element(pagePrice.first()).toHaveTextContent('$1,250.00');
  api.answer(calls.getListing, { ...listing, price: 1200 });
  await page.getByRole('button', { name: 'Ask to buy for $1,250' }).click();
  const dialog = page.getByRole('dialog');
  await expect.element(dialog.getByText('request to buy for $1,200', { exact: false })).toBeVisible();
  await expect.poll(() => document.querySelector('article')?.textContent).toContain('$1,200.00');
  api.answer(calls.getListing, { ...listing, price: 1100 });
  api.answer(calls.startDeal, () => {
    throw refuse('validation_failed', { fields: { price: 'The price has changed' } });
  });
  await dialog.getByRole('button', { name: 'Send request' }).click();
  await expect.element(dialog.getByText('request to buy for $1,100', { exact: false })).toBeVisible();
  await expect.poll(() => document.querySelector('article')?.textContent).toContain('$1,100.00');
  signOut();
});

describe('Share', () => {
  const link = `http://quad.test/listing/${listing.slug}`;
  const setShareSheet = (share: ((data: ShareData) => Promise<void>) | undefined) =>
    Object.defineProperty(navigator, 'share', { value: share, configurable: true });
  const writeText = vi.fn<(text: string) => Promise<void>>();
  beforeEach(() => {
    writeText.mockReset().mockResolvedValue();
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(writeText);
  });
  afterEach(() => Reflect.deleteProperty(navigator, 'share'));
  const pressShare = async () => {
    await open(360, 740);
    await page.getByRole('button', { name: 'Share', exact: true }).click();
  };
  const fail = (name: string) => vi.fn(() => Promise.reject(new DOMException('Refused by the test', name)));

  test.each([
    ['shared', vi.fn(() => Promise.resolve())],
    ['closed', fail('AbortError')],
  ])('opens the share sheet of the phone, and shows nothing else when it was %s', async (_, share) => {
    setShareSheet(share);
    await pressShare();
    await expect.poll(() => share.mock.calls).toEqual([[{ title, url: link }]]);
    expect(writeText).not.toHaveBeenCalled();
    expect(document.querySelector('[data-sonner-toast]')).toBeNull();
  });

  test.each([
    ['the browser has no share sheet', undefined],
    ['the share sheet fails', fail('DataError')],
  ])('copies the link when %s', async (_, share) => {
    setShareSheet(share);
    await pressShare();
    await expect.element(page.getByText('Link copied')).toBeVisible();
    expect(writeText).toHaveBeenCalledExactlyOnceWith(link);
  });

  test('shows the link when it cannot be copied either', async () => {
    setShareSheet(fail('NotAllowedError'));
    writeText.mockRejectedValue(new DOMException('Refused by the test', 'NotAllowedError'));
    await pressShare();
    await expect.element(page.getByText(link)).toBeVisible();
  });
});

describe('a sold listing', () => {
  const copied = '00000000-0000-4000-8000-0000000000aa';
  const open = async (isOwner: boolean) => {
    const sold = { ...listing, status: 'sold' as const, contact_email: null, contact_phone: null };
    api.answer(calls.getListing, isOwner ? { ...sold, user_id: getRecorded('getMe').id } : sold);
    api.answer(calls.findSalePrices, { range: { low: 40, high: 55 } });
    api.answer(calls.listBlockedIds, { user_ids: [] });
    api.answer(calls.listSavedIds, getRecorded('listSavedIds'));
    api.answer(calls.listBlockedIds, { user_ids: [] });
    signIn();
    await page.viewport(360, 740);
    await openScreen(`/listing/${listing.slug}`, { '/listing/:slug': listingScreen });
    await expect.element(page.getByText('This item is no longer available.')).toBeVisible();
    await expect.element(page.getByText('Sold here for $40–55')).toBeVisible();
  };
  afterEach(() => signOut());

  test('can be posted again by its owner', async () => {
    api.answer(calls.copyListing, { id: copied });
    await open(true);
    await page.getByRole('button', { name: 'Post Again' }).click();
    await expect.element(address).toMatchTextContent(`/post-ad?edit=${copied}`);
  });

  test('cannot be posted again by anybody else', async () => {
    await open(false);
    await expect.element(page.getByRole('button', { name: 'Post Again' })).not.toBeInTheDocument();
  });
});

test('a paused listing is made active on its page by its owner', async () => {
  const own = { ...listing, user_id: getRecorded('getMe').id };
  api.answer(calls.getListing, { ...own, unavailable: 'unconfirmed', contact_email: null });
  api.answer(calls.listSavedIds, getRecorded('listSavedIds'));
  const [saved] = getRecorded('listMyListings').items as [OwnListing];
  api.answer(calls.answerAvailability, { ...saved, status: 'published' });
  api.mayAnswer(calls.getMyListing, saved);
  signIn();
  await open(360, 740);
  await expect
    .element(page.getByText('The seller hasn’t confirmed that this is still available'))
    .toBeVisible();
  api.answer(calls.getListing, own);
  await page.getByRole('button', { name: 'Make Active' }).click();
  await expect.element(page.getByText('Confirmed as available')).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Edit Listing' })).toBeVisible();
  await expect.element(page.getByText('The seller hasn’t confirmed')).not.toBeInTheDocument();
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveFocus();
  signOut();
});

test.each([360, 1280])(
  'while the seller is away, the page keeps Save and Message Seller, at %d px',
  async (width) => {
    api.answer(calls.getListing, { ...listing, unavailable: 'away', away_until: '2026-03-18' });
    await open(width, 740);
    await expect.element(page.getByText('The seller is away until March 18')).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Message Seller' })).toBeVisible();
    await expect.element(page.getByRole('button', { name: /^Favorite/ })).toBeVisible();
    await expect
      .element(page.getByRole('button', { name: /^(Ask to buy|Make an offer)/ }))
      .not.toBeInTheDocument();
  },
);
