import { createRoutesStub } from 'react-router';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { calls } from '#contract/calls.ts';
import { defaultCampus } from '#contract/campus.ts';
import type { OwnListing } from '#contract/listings.ts';
import { createDeal } from '#contract/testing.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { sessionStorageKey } from '#web/lib/session.ts';

const requestMock = vi.hoisted(() => vi.fn());
vi.mock('#web/lib/api.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof import('#web/lib/api.ts')>()),
  request: requestMock,
}));
vi.mock('#web/lib/use-campus.ts', async () => {
  const { defaultCampus } = await import('#contract/campus.ts');
  return { useCampus: () => defaultCampus };
});
vi.mock('#web/lib/session.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof import('#web/lib/session.ts')>()),
  getSessionSnapshot: () => ({ isAuthenticated: true, user: { id: 'ada' } }),
}));

const { PostListingScreen } = await import('./post-screen.tsx');
const { storeUnsentListingForm } = await import('./unsent-listing-form.ts');
const { blankListingFormValues } = await import('./submission.ts');

const savedForm = {
  client_id: '3f0d6f2e-54c1-4a53-8a53-0a6f4f3f1f2c',
  based_on: null,
  values: { ...blankListingFormValues, title: 'Stool with three legs' },
  photos: [],
};

const published = {
  id: '6a2c8f0e-8b0f-4f0e-9a54-0c8a52f4b1bb',
  title: 'Walnut desk lamp',
  status: 'published',
  hold_hours: 48,
  rental_period: 'flexible',
  gift_mode: 'first_come',
  draw_hours: 24,
  price: 5,
  photos: [],
  images: [],
  open_deals: 0,
} as unknown as OwnListing;

const savedFormKey = 'quad.saved.ada.listing.new';

/** Removes the saved form for a new listing through an iframe, as another tab does after posting it. */
const removeSavedFormInAnotherTab = (): void => {
  const frame = document.body.appendChild(document.createElement('iframe'));
  frame.contentWindow?.localStorage.removeItem(savedFormKey);
  frame.remove();
};

const saveAsDraft = async (): Promise<{ clientId: string }> => {
  requestMock.mockClear();
  await page.getByRole('button', { name: 'Save as Draft' }).click();
  await expect.poll(() => requestMock.mock.lastCall).toBeDefined();
  return requestMock.mock.lastCall?.[1].body;
};

const open = (listing?: OwnListing) => {
  const Component = () => (
    <PostListingScreen
      campus={defaultCampus}
      owner={{ id: 'ada', email: 'ada@usc.edu' }}
      listing={listing}
      onCreated={vi.fn()}
    />
  );
  const Router = createRoutesStub([{ path: '*', Component }]);
  return render(<Router />);
};
const openWithSavedForm = () => {
  storeUnsentListingForm({ ownerId: 'ada', listingId: undefined }, savedForm);
  return open();
};

beforeEach(() => {
  localStorage.setItem(sessionStorageKey, 'a session');
  requestMock.mockReset().mockRejectedValue(new TypeError('The connection was lost'));
});

test('a restored form keeps its client id until another tab posts the same form', async () => {
  await openWithSavedForm();
  await page.getByRole('button', { name: 'Continue' }).click();
  expect(await saveAsDraft()).toMatchObject({ clientId: savedForm.client_id });
  await expect.element(page.getByText(/Failed to save listing/)).toBeVisible();
  expect(await saveAsDraft()).toMatchObject({ clientId: savedForm.client_id });

  removeSavedFormInAnotherTab();
  await expect.poll(() => localStorage.getItem(savedFormKey)).not.toBeNull();
  expect((await saveAsDraft()).clientId).not.toBe(savedForm.client_id);
});

test('a form that another tab has already posted gets a new client id when it is restored', async () => {
  await openWithSavedForm();
  removeSavedFormInAnotherTab();
  await page.getByRole('button', { name: 'Continue' }).click();
  expect((await saveAsDraft()).clientId).not.toBe(savedForm.client_id);
});

test('a saved form is removed from the device even if its client id changed during saving', async () => {
  await openWithSavedForm();
  await page.getByRole('button', { name: 'Continue' }).click();
  const response = Promise.withResolvers<object>();
  requestMock.mockReturnValue(response.promise);
  await saveAsDraft();
  removeSavedFormInAnotherTab();
  await expect.poll(() => localStorage.getItem(savedFormKey)).not.toBeNull();
  response.resolve({ listing: { ...published, status: 'draft' } });
  await expect.poll(() => localStorage.getItem(savedFormKey)).toBeNull();
});

describe('saving a listing as a draft if it had no deals when its form was opened', () => {
  const press = () => page.getByRole('button', { name: 'Save as Draft' }).click();
  const dialog = page.getByRole('dialog', { name: 'Mark as draft?' });
  const listSaves = () => requestMock.mock.calls.filter(([call]) => call === calls.createListing);
  const answerQueue = (listDeals: () => Promise<object>) =>
    requestMock.mockImplementation(async (call) => {
      if (call === calls.listDealsOfListing) return listDeals();
      return { listing: { ...published, status: 'draft' } };
    });

  beforeEach(() => queryClient.clear());

  test.each([
    ['that started since', 'published'],
    ['of a draft that another tab has published since', 'draft'],
  ] as const)('names the deals %s, before it ends them', async (_, status) => {
    answerQueue(async () => ({ items: [createDeal({ state: 'held' })] }));
    await open({ ...published, status });
    await press();
    await expect.element(dialog).toBeVisible();
    expect(listSaves()).toEqual([]);
    await dialog.getByRole('button', { name: 'Mark as Draft' }).click();
    await expect.poll(listSaves).toHaveLength(1);
  });

  test('asks for no confirmation if there are still no deals', async () => {
    answerQueue(async () => ({ items: [] }));
    await open(published);
    await press();
    await expect.poll(listSaves).toHaveLength(1);
    await expect.element(dialog).not.toBeInTheDocument();
  });

  test('does not save a published listing while its deals cannot be loaded', async () => {
    answerQueue(() => Promise.reject(new TypeError('The connection was lost')));
    await open(published);
    await press();
    await expect.element(dialog.getByText('Failed to load who asked for it')).toBeVisible();
    expect(listSaves()).toEqual([]);
  });

  test('saves a listing that is already a draft even if its deals cannot be loaded', async () => {
    answerQueue(() => Promise.reject(new TypeError('The connection was lost')));
    await open({ ...published, status: 'draft' });
    await press();
    await expect.poll(listSaves).toHaveLength(1);
  });
});
