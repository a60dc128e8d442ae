import { createRoutesStub } from 'react-router';
import { toast as sonner } from 'sonner';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { calls } from '#contract/calls.ts';
import { defaultCampus } from '#contract/campus.ts';
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
  return { useCampus: () => defaultCampus, usePublicUrl: () => 'http://quad.test' };
});
const uploadMock = vi.hoisted(() => vi.fn());
vi.mock('#web/lib/photo-upload.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof import('#web/lib/photo-upload.ts')>()),
  uploadFile: uploadMock,
  prepareImage: async (file: File) => file,
}));
vi.mock('#web/lib/session.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof import('#web/lib/session.ts')>()),
  getSessionSnapshot: () => ({ isAuthenticated: true, user: { id: 'ada' } }),
}));

const { PostListingScreen } = await import('./post-screen.tsx');
const { saveFile } = await import('#web/lib/stored-files.ts');
const { findUnsentListingForm, removeUnsentListingForm, storeUnsentListingForm } = await import(
  './unsent-listing-form.ts'
);
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

const newFormKey = { ownerId: 'ada', listingId: undefined };
const title = page.getByRole('textbox', { name: /^Title/ });
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
    <>
      <PostListingScreen
        campus={defaultCampus}
        owner={{ id: 'ada', email: 'ada@usc.edu' }}
        listing={listing}
        onCreated={vi.fn()}
      />
      <Toaster />
    </>
  );
  const Router = createRoutesStub([{ path: '*', Component }]);
  return render(<Router />);
};
const openWithSavedForm = () => {
  storeUnsentListingForm(newFormKey, savedForm);
  return open();
};

// The toast library keeps open toasts in a module variable, so they would remain in the next test.
afterEach(async () => {
  vi.restoreAllMocks();
  sonner.dismiss();
  for (const name of await caches.keys()) await caches.delete(name);
});
beforeEach(() => {
  localStorage.setItem('quad.session', JSON.stringify({ user: { id: 'ada' } }));
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

test('saving a form keeps the unfinished form that another tab has saved meanwhile', async () => {
  await openWithSavedForm();
  await page.getByRole('button', { name: 'Continue' }).click();
  const response = Promise.withResolvers<object>();
  requestMock.mockReturnValue(response.promise);
  await saveAsDraft();
  const other = {
    ...savedForm,
    client_id: '8f3f6a3e-1f5b-4f57-9a36-8a5bb1e0a0b1',
    values: { ...savedForm.values, title: 'Mirror in a frame' },
  };
  storeUnsentListingForm(newFormKey, other);
  response.resolve({ listing: { ...published, status: 'draft' } });
  await expect.element(page.getByText('Draft saved')).toBeVisible();
  expect(findUnsentListingForm(newFormKey)).toMatchObject(other);
});

test('a restored photo that the server has removed is uploaded again, or has to be chosen again', async () => {
  vi.spyOn(window, 'fetch').mockResolvedValue(new Response(null, { status: 404 }));
  uploadMock.mockResolvedValue('/storage/v1/object/public/listing-photos/ada/front.jpg');
  const photos = ['front.jpg', 'side.jpg'].map((name) => ({
    id: name,
    url: `/storage/v1/object/public/listing-photos/ada/old-${name}`,
    file_name: name,
  }));
  const file = new File(['pixels'], 'front.jpg', { type: 'image/jpeg' });
  await saveFile('ada', 'front.jpg', file);
  storeUnsentListingForm(newFormKey, { ...savedForm, photos });
  await open();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect.element(page.getByText('Some photos have to be chosen again')).toBeVisible();
  await expect.element(page.getByText('side.jpg')).toBeVisible();
  expect(page.getByRole('img', { name: /^Preview of photo/ }).elements()).toHaveLength(1);
  await expect.poll(() => uploadMock.mock.lastCall?.[0].file.name).toBe('front.jpg');
});

test('a draft saved without a photo that could not be uploaded says so', async () => {
  uploadMock.mockRejectedValue(new TypeError('Failed to fetch'));
  await open();
  await page
    .getByLabelText('Choose photos')
    .upload(new File(['pixels'], 'front.jpg', { type: 'image/jpeg' }));
  await expect.element(page.getByText('Failed to upload image. Please try again.').first()).toBeVisible();
  requestMock.mockResolvedValue({ listing: { ...published, status: 'draft' } });
  await title.fill('Stool');
  await page.getByRole('button', { name: 'Save as Draft' }).click();
  await expect.element(page.getByText('Draft saved')).toBeVisible();
  await expect.element(page.getByText('Without the photos that could not be uploaded')).toBeVisible();
});

test('without storage the form works, and the browser asks before text is lost', async () => {
  await open();
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('Full', 'QuotaExceededError');
  });
  const isAskedBeforeClosing = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  expect(isAskedBeforeClosing()).toBe(false);
  await title.fill('Stool');
  await expect.poll(isAskedBeforeClosing).toBe(true);
  await expect.element(page.getByText('Saved on this device')).not.toBeInTheDocument();
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

  test('names the deals of a draft that another tab has published since, before it ends them', async () => {
    answerQueue(async () => ({ items: [createDeal({ state: 'held' })] }));
    await open({ ...published, status: 'draft' });
    await press();
    await expect.element(dialog).toBeVisible();
    expect(listSaves()).toEqual([]);
    await dialog.getByRole('button', { name: 'Mark as Draft' }).click();
    await expect.poll(listSaves).toHaveLength(1);
  });

  test('asks for no confirmation if it is a draft and there are still no deals', async () => {
    answerQueue(async () => ({ items: [] }));
    await open({ ...published, status: 'draft' });
    await press();
    await expect.poll(listSaves).toHaveLength(1);
    await expect.element(dialog).not.toBeInTheDocument();
  });

  test('saves a listing that is already a draft even if its deals cannot be loaded', async () => {
    answerQueue(() => Promise.reject(new TypeError('The connection was lost')));
    await open({ ...published, status: 'draft' });
    await press();
    await expect.poll(listSaves).toHaveLength(1);
  });
});

describe('unpublishing a published listing', () => {
  const more = page.getByRole('button', { name: 'More actions' });
  const dialog = page.getByRole('dialog', { name: 'Mark as draft?' });
  const listStatuses = () =>
    requestMock.mock.calls.flatMap(([call, input]) =>
      call === calls.setListingStatus ? [input.body.status] : [],
    );
  const answer = (listDeals: () => Promise<object>) =>
    requestMock.mockImplementation(async (call, input) => {
      if (call === calls.listDealsOfListing) return listDeals();
      return { ...published, published_at: '2026-03-02T18:00:00.000Z', status: input.body.status };
    });
  const unpublish = async () => {
    await more.click();
    await page.getByRole('menuitem', { name: 'Unpublish' }).click();
  };

  beforeEach(() => queryClient.clear());

  test('can be undone, and its form offers no Save as Draft until then', async () => {
    answer(async () => ({ items: [] }));
    await open(published);
    const saveDraft = page.getByRole('button', { name: 'Save as Draft' });
    await expect.element(saveDraft).not.toBeInTheDocument();
    await title.fill('Walnut desk lamp with a shade');
    await unpublish();
    await expect.element(page.getByText('Marked as draft')).toBeVisible();
    await expect.element(saveDraft).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.element(page.getByText('Marked as active')).toBeVisible();
    await expect.element(saveDraft).not.toBeInTheDocument();
    await expect.element(title).toHaveValue('Walnut desk lamp with a shade');
    expect(listStatuses()).toEqual(['draft', 'published']);
  });

  test('names the deals that started since, before it ends them', async () => {
    answer(async () => ({ items: [createDeal({ state: 'held' })] }));
    await open(published);
    await unpublish();
    await expect.element(dialog).toBeVisible();
    expect(listStatuses()).toEqual([]);
    await dialog.getByRole('button', { name: 'Mark as Draft' }).click();
    await expect.poll(listStatuses).toEqual(['draft']);
  });

  test('waits until its deals can be loaded', async () => {
    answer(() => Promise.reject(new TypeError('The connection was lost')));
    await open(published);
    await unpublish();
    await expect.element(dialog.getByText('Failed to load who asked for it')).toBeVisible();
    expect(listStatuses()).toEqual([]);
  });
});

describe('posting while photos are being uploaded', () => {
  beforeEach(() => {
    const left = findUnsentListingForm(newFormKey);
    if (left) removeUnsentListingForm(newFormKey, left.client_id);
  });
  const choosePhoto = () =>
    page.getByLabelText('Choose photos').upload(new File(['pixels'], 'front.jpg', { type: 'image/jpeg' }));
  const post = page.getByRole('button', { name: 'Post Ad' });
  const fill = async () => {
    await title.fill('Walnut desk lamp');
    await page.getByLabelText(/^Category/).selectOptions('furniture');
    await page.getByRole('radio', { name: 'Good' }).click();
    await page.getByRole('textbox', { name: /^Price/ }).fill('5');
    await page
      .getByRole('textbox', { name: /^Description/ })
      .fill('It stands on a desk and sheds light on it.');
    await page.getByRole('textbox', { name: /^Location/ }).fill('Parkside');
    await page.getByRole('button', { name: 'Use my email' }).click();
  };
  const listSaves = () => requestMock.mock.calls.filter(([call]) => call === calls.createListing);

  test('waits visibly, and publishes with the photos', async () => {
    const upload = Promise.withResolvers<string>();
    uploadMock.mockReturnValue(upload.promise);
    requestMock.mockResolvedValue({ listing: published });
    await open();
    await fill();
    await choosePhoto();
    await post.click();
    await expect.element(page.getByText('Please wait for all photos to finish uploading')).toBeVisible();
    await expect.element(post).toHaveAttribute('aria-busy', 'true');
    expect(listSaves()).toEqual([]);
    const url = '/storage/v1/object/public/listing-photos/ada/front.jpg';
    upload.resolve(url);
    await expect.poll(listSaves).toHaveLength(1);
    expect(listSaves()[0]?.[1].body).toMatchObject({ status: 'published', photos: [url] });
  });

  test('shows errors of other fields at once', async () => {
    uploadMock.mockReturnValue(new Promise(() => {}));
    await open();
    await choosePhoto();
    await post.click();
    await expect.element(page.getByText('Validation failed')).toBeVisible();
    await expect.element(page.getByText('Upload in progress')).not.toBeInTheDocument();
    await expect.element(title).toHaveFocus();
  });

  test('publishes nothing if a photo cannot be uploaded, and says so once', async () => {
    const upload = Promise.withResolvers<string>();
    uploadMock.mockReturnValue(upload.promise);
    await open();
    await fill();
    await choosePhoto();
    await post.click();
    await expect.element(page.getByText('Upload in progress')).toBeVisible();
    upload.reject(new TypeError('Failed to fetch'));
    await expect
      .element(page.getByText('Please retry or remove the photos that could not be uploaded'))
      .toBeVisible();
    // The toast about the upload itself is replaced.
    await expect.poll(() => page.getByText('Upload failed').elements()).toHaveLength(1);
    await expect.element(post).toBeEnabled();
    expect(listSaves()).toEqual([]);
  });
});
