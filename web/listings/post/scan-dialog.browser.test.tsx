import { afterEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';

const readBarcodes = vi.hoisted(() => vi.fn());
vi.mock('#web/lib/read-barcodes.ts', () => ({ readBarcodes }));
const { ScanDialog } = await import('./scan-dialog.tsx');

const cleanups: (() => void)[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  for (const clean of cleanups.splice(0)) clean();
});

/** Makes the device's camera show a drawing, which changes so that the video has frames. */
const provideCamera = (): MediaStreamTrack | undefined => {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  const timer = setInterval(() => context?.fillRect(0, 0, Math.random() * 100, 50), 20);
  cleanups.push(() => clearInterval(timer));
  const stream = canvas.captureStream();
  vi.spyOn(navigator.mediaDevices, 'getUserMedia').mockResolvedValue(stream);
  return stream.getTracks()[0];
};

const openScan = async () => {
  const handlers = { onFound: vi.fn(), onClose: vi.fn() };
  const dialog = await render(<ScanDialog {...handlers} />);
  return { ...handlers, dialog };
};

test('passes other barcodes over, reports the ISBN that the camera sees, and turns the camera off', async () => {
  const track = provideCamera();
  readBarcodes
    .mockResolvedValueOnce([])
    .mockResolvedValueOnce([{ text: '4006381333931' }])
    .mockResolvedValue([{ text: '9781285740621' }]);
  const { onFound, onClose, dialog } = await openScan();
  await expect.poll(() => onFound.mock.calls).toEqual([['9781285740621']]);
  expect(onClose).toHaveBeenCalledOnce();
  expect(track?.readyState).toBe('live');
  await dialog.unmount();
  expect(track?.readyState).toBe('ended');
});

test.each([
  [
    'is not allowed',
    'NotAllowedError',
    'The camera is blocked. Allow it in your browser’s settings, or type the ISBN.',
  ],
  ['is missing', 'NotFoundError', 'The camera can’t be used right now. Type the ISBN instead.'],
])('asks to type the ISBN when the camera %s', async (_, name, sentence) => {
  vi.spyOn(navigator.mediaDevices, 'getUserMedia').mockRejectedValue(new DOMException('', name));
  const { onClose } = await openScan();
  await expect.element(page.getByRole('alert')).toHaveTextContent(sentence);
  await page.getByRole('button', { name: 'Type it instead' }).click();
  expect(onClose).toHaveBeenCalledOnce();
});

test('asks to type the ISBN when the reader of barcodes cannot be loaded', async () => {
  provideCamera();
  readBarcodes.mockReset().mockRejectedValue(new Error('offline'));
  const { onFound } = await openScan();
  await expect
    .element(page.getByRole('alert'))
    .toHaveTextContent('Barcodes can’t be read right now. Type the ISBN instead.');
  expect(onFound).not.toHaveBeenCalled();
});
