import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { calls } from '#contract/calls.ts';
import { createTestApi, networkFailure } from '#web/testing/api.ts';
import { getRecorded } from '#web/testing/recorded.ts';
import { address, openScreen } from '#web/testing/screen.tsx';
import { signIn } from '#web/testing/session.ts';
import ProfileEdit from './profile-edit.tsx';
import ProfileSetup from './profile-setup.tsx';

const api = createTestApi();
const profile = getRecorded('getMe');
api.answer(calls.getMe, profile);
beforeEach(signIn);

const name = page.getByRole('textbox', { name: 'Full name' });
const save = page.getByRole('button', { name: 'Save Changes' });

test('a changed profile is sent once, and cannot be changed until it is saved', async () => {
  const saving = api.hold(calls.updateMe, { ...profile, full_name: 'Samuel Seller' });
  await openScreen('/profile/edit', { '/profile/edit': ProfileEdit });
  await name.fill('Samuel Seller');
  await save.click();
  await expect.element(save).toHaveAttribute('aria-busy', 'true');
  await expect.element(name).toHaveAttribute('readonly');
  (save.element() as HTMLElement).click();
  (name.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  saving.release();
  await expect.element(page.getByText('Profile updated')).toBeVisible();
  await expect.element(address).toHaveTextContent('/profile');
  expect(api.listRequests(calls.updateMe)).toHaveLength(1);
});

const open = (path: string) =>
  openScreen(path, { '/profile/edit': ProfileEdit, '/profile-setup': ProfileSetup });
const toast = (text: string) => expect.element(page.getByText(text).last()).toBeVisible();

test('the editor says what is missing, and keeps the input after a failure', async () => {
  await open('/profile/edit');
  await expect.element(page.getByRole('textbox', { name: 'Email' })).toHaveAttribute('readonly');
  await name.fill('');
  await save.click();
  await toast('Please complete all required fields');
  await name.fill('Ada Lovelace');
  await page.getByLabelText('Bio').fill('Mathematics.\nOn campus on Fridays.');
  await toast('34/500');
  api.answer(calls.updateMe, () => {
    throw networkFailure();
  });
  await save.click();
  await toast('We could not save your profile. Please try again');
  await expect.element(name).toHaveValue('Ada Lovelace');
  await expect.element(page.getByText(/^Everyone can see this/)).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Cancel' })).toHaveAttribute('href', '/profile');
});

test('the set-up asks for a name and a role', async () => {
  api.answer(calls.getMe, { ...profile, role: null });
  await open('/profile-setup');
  await name.fill('  ');
  await page.getByRole('button', { name: 'Complete Setup' }).click();
  await toast('Please enter your full name');
  await toast('Please select your role');
});

const picker = page.getByLabelText('Choose a profile picture');
const createPicture = async (): Promise<File> => {
  const canvas = new OffscreenCanvas(40, 40);
  canvas.getContext('2d')?.fillRect(0, 0, 40, 40);
  return new File([await canvas.convertToBlob({ type: 'image/jpeg' })], 'me.jpg', { type: 'image/jpeg' });
};

test('a picture that cannot be used or uploaded is refused, and removing one asks first', async () => {
  let avatar_url: string | null = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>';
  api.answer(calls.getMe, () => ({ ...profile, avatar_url }));
  await open('/profile/edit');
  await picker.upload(new File(['%PDF'], 'cv.pdf', { type: 'application/pdf' }));
  await toast('Please upload an image file');
  const send = vi.spyOn(XMLHttpRequest.prototype, 'send').mockImplementation(function fail(
    this: XMLHttpRequest,
  ) {
    this.dispatchEvent(new ProgressEvent('error'));
  });
  await picker.upload(await createPicture());
  await page.getByRole('button', { name: 'Use Photo' }).click();
  await toast('Failed to upload avatar');
  send.mockRestore();

  const question = page.getByRole('dialog', { name: 'Remove your picture?' });
  const remove = page.getByRole('button', { name: 'Remove' });
  await remove.click();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(question).not.toBeInTheDocument();
  await remove.click();
  api.answer(calls.updateMe, () => {
    avatar_url = null;
    return { ...profile, avatar_url };
  });
  await question.getByRole('button', { name: 'Remove' }).click();
  await toast('Avatar removed');
  expect(api.listRequests(calls.updateMe)).toMatchObject([{ body: { avatar_url: null } }]);
});

/** Holds uploads until they are answered with a URL, or fail without one. */
const holdUploads = () => {
  const held: XMLHttpRequest[] = [];
  vi.spyOn(XMLHttpRequest.prototype, 'send').mockImplementation(function hold(this: XMLHttpRequest) {
    held.push(this);
  });
  vi.spyOn(XMLHttpRequest.prototype, 'status', 'get').mockReturnValue(200);
  return {
    listHeld: () => held,
    answer: (publicUrl?: string) => {
      const response = { path: 'me.jpg', publicUrl };
      vi.spyOn(XMLHttpRequest.prototype, 'response', 'get').mockReturnValue(response);
      for (const upload of held.splice(0))
        upload.dispatchEvent(new ProgressEvent(publicUrl ? 'load' : 'error'));
    },
  };
};

test.each([
  ['/profile/edit', 'Save Changes'],
  ['/profile-setup', 'Complete Setup'],
  ['/profile-setup', 'Skip for now'],
])('%s waits for the picture that is uploading when "%s" is pressed', async (path, label) => {
  const uploads = holdUploads();
  api.answer(calls.updateMe, ({ body }) => ({ ...profile, ...(body as object) }));
  await open(path);
  await picker.upload(await createPicture());
  await page.getByRole('button', { name: 'Use Photo' }).click();
  await expect.poll(uploads.listHeld).toHaveLength(1);
  const button = page.getByRole('button', { name: label });
  await button.click();
  await expect.element(button).toHaveAttribute('aria-busy', 'true');
  await expect.element(page.getByRole('progressbar', { name: 'Uploading your photo' })).toBeVisible();
  await expect.element(page.getByText('Waiting for your photo to finish uploading…')).toBeVisible();

  uploads.answer();
  await expect.element(button).not.toHaveAttribute('aria-busy');
  await expect.element(address).toHaveTextContent(path);
  expect(api.listRequests(calls.updateMe)).toEqual([]);

  await picker.upload(await createPicture());
  await page.getByRole('button', { name: 'Use Photo' }).click();
  await expect.poll(uploads.listHeld).toHaveLength(1);
  await button.click();
  await expect.element(button).toHaveAttribute('aria-busy', 'true');
  uploads.answer('/storage/v1/object/public/avatars/me.jpg');
  await expect.element(page.getByRole('heading', { name: 'Another screen' })).toBeVisible();
  expect(api.listRequests(calls.updateMe)[0]).toMatchObject({
    body: { avatar_url: '/storage/v1/object/public/avatars/me.jpg' },
  });
});
