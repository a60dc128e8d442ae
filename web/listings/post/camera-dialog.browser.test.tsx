import { afterEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { CameraDialog } from './camera-dialog.tsx';

const openCamera = async (roomLeft = 3) => {
  const handlers = { onPhoto: vi.fn(), onUnavailable: vi.fn(), onClose: vi.fn() };
  const dialog = await render(<CameraDialog roomLeft={roomLeft} {...handlers} />);
  return { ...handlers, dialog };
};

/** Makes the device's camera show a drawing, which changes so that the video has frames. */
const provideCamera = (): MediaStreamTrack[] => {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  const timer = setInterval(() => context?.fillRect(0, 0, Math.random() * 100, 50), 20);
  const stream = canvas.captureStream();
  vi.spyOn(navigator.mediaDevices, 'getUserMedia').mockResolvedValue(stream);
  afterEachCleanups.push(() => clearInterval(timer));
  return stream.getTracks();
};
const afterEachCleanups: (() => void)[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  for (const clean of afterEachCleanups.splice(0)) clean();
});

const shutter = page.getByRole('button', { name: 'Take photo' });

test('takes several photos in a row, and turns the camera off when it is closed', async () => {
  const [track] = provideCamera();
  const { onPhoto, dialog } = await openCamera();
  await expect.element(shutter).toBeEnabled();
  await shutter.click();
  await shutter.click();
  await expect.element(page.getByText('2 photos taken')).toBeVisible();
  expect(onPhoto.mock.calls.map(([photo]) => photo.type)).toEqual(['image/jpeg', 'image/jpeg']);
  expect(track?.readyState).toBe('live');
  await dialog.unmount();
  expect(track?.readyState).toBe('ended');
});

test('takes no photo that the listing has no room for', async () => {
  provideCamera();
  await openCamera(0);
  await expect.element(page.getByText('Starting the camera')).not.toBeInTheDocument();
  await expect.element(shutter).toBeDisabled();
});

test('takes one photo for the last place, however often it is pressed', async () => {
  provideCamera();
  const { onPhoto } = await openCamera(1);
  await expect.element(shutter).toBeEnabled();
  const button = shutter.element() as HTMLElement;
  for (const _ of [1, 2, 3]) button.click();
  await expect.element(page.getByText('1 photo taken')).toBeVisible();
  await expect.poll(() => onPhoto.mock.calls.length).toBe(1);
});

test('offers the camera app if the camera is not allowed', async () => {
  vi.spyOn(navigator.mediaDevices, 'getUserMedia').mockRejectedValue(
    new DOMException('Denied', 'NotAllowedError'),
  );
  const { onUnavailable, onClose } = await openCamera();
  await expect.element(page.getByText(/Allow it in your browser’s settings/)).toBeVisible();
  await page.getByRole('button', { name: 'Open camera app' }).click();
  expect(onUnavailable).toHaveBeenCalledOnce();
  expect(onClose).toHaveBeenCalledOnce();
});

test('says that there is no camera, and when it is taken away', async () => {
  const getCamera = vi.spyOn(navigator.mediaDevices, 'getUserMedia');
  getCamera.mockRejectedValueOnce(new DOMException('None', 'NotFoundError'));
  const message = page.getByText('The camera can’t be used right now.');
  const { dialog } = await openCamera();
  await expect.element(message).toBeVisible();
  await dialog.unmount();
  const [track] = provideCamera();
  await openCamera();
  await expect.element(shutter).toBeEnabled();
  track?.dispatchEvent(new Event('ended'));
  await expect.element(message).toBeVisible();
  await expect.element(shutter).not.toBeInTheDocument();
});

test('turns the camera off if it was closed before the camera was allowed', async () => {
  const answer = Promise.withResolvers<MediaStream>();
  const [track] = provideCamera();
  vi.mocked(navigator.mediaDevices.getUserMedia).mockReturnValue(answer.promise);
  const { dialog } = await openCamera();
  await dialog.unmount();
  answer.resolve(new MediaStream(track ? [track] : []));
  await expect.poll(() => track?.readyState).toBe('ended');
});
