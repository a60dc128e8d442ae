import { MemoryRouter } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { defaultCampus } from '#contract/campus.ts';
import { sessionStorageKey } from '#web/lib/session.ts';

const requestMock = vi.hoisted(() => vi.fn());
vi.mock('#web/lib/api.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof import('#web/lib/api.ts')>()),
  request: requestMock,
}));
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

const savedFormKey = 'quad.saved.ada.listing.new';

/** Removes the saved new listing in another document of the same site, as another tab does after posting it. */
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

beforeEach(async () => {
  localStorage.setItem(sessionStorageKey, 'a session');
  requestMock.mockRejectedValue(new TypeError('The connection was lost'));
  storeUnsentListingForm({ ownerId: 'ada', listingId: undefined }, savedForm);
  await render(
    <MemoryRouter>
      <PostListingScreen
        campus={defaultCampus}
        owner={{ id: 'ada', email: 'ada@usc.edu' }}
        onCreated={vi.fn()}
      />
    </MemoryRouter>,
  );
});

test('a continued form is sent under the same client id until another tab has posted it', async () => {
  await page.getByRole('button', { name: 'Continue' }).click();
  expect(await saveAsDraft()).toMatchObject({ clientId: savedForm.client_id });
  await expect.element(page.getByText(/Failed to save listing/)).toBeVisible();
  expect(await saveAsDraft()).toMatchObject({ clientId: savedForm.client_id });

  removeSavedFormInAnotherTab();
  await expect.poll(() => localStorage.getItem(savedFormKey)).not.toBeNull();
  expect((await saveAsDraft()).clientId).not.toBe(savedForm.client_id);
});

test('a form that another tab has posted before it is continued gets a new client id', async () => {
  removeSavedFormInAnotherTab();
  await page.getByRole('button', { name: 'Continue' }).click();
  expect((await saveAsDraft()).clientId).not.toBe(savedForm.client_id);
});
