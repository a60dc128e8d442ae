import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { queryClient } from '#web/lib/query-client.ts';

const fetchMock = vi.hoisted(() => vi.fn());
vi.mock('#web/lib/api.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof import('#web/lib/api.ts')>()),
  fetchWithSession: fetchMock,
}));

const { OwnPhoto } = await import('./own-photo.tsx');

/** A red pixel, as a stored photo. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const photo = {
  url: '/storage/v1/object/public/listing-photos/someone/1-desk.jpg',
  width: 1,
  height: 1,
  thumbhash: '',
};

const toResponse = () => new Response(Uint8Array.from(atob(pixel), (letter) => letter.charCodeAt(0)));

beforeEach(() => {
  queryClient.clear();
  fetchMock.mockReset().mockImplementation(async () => toResponse());
});

test('a photo of a listing that is taken down is loaded with the session of its owner', async () => {
  await render(<OwnPhoto photo={photo} isHidden alt="Desk" />);
  await expect
    .element(page.getByRole('img', { name: 'Desk' }))
    .toHaveAttribute('src', expect.stringMatching(/^blob:/));
  expect(fetchMock).toHaveBeenCalledWith(`${photo.url}@640.jpeg`, expect.anything());
});

test('a photo that the server does not have leaves an empty frame', async () => {
  fetchMock.mockImplementation(async () => new Response(null, { status: 404 }));
  await render(<OwnPhoto photo={photo} isHidden alt="Desk" />);
  await expect.poll(() => fetchMock.mock.calls.length).toBe(1);
  await expect.element(page.getByRole('img', { name: 'Desk' })).not.toHaveAttribute('src');
});

test('other photos are loaded by the browser in the width that fits', async () => {
  await render(
    <OwnPhoto photo={{ ...photo, url: `data:image/png;base64,${pixel}#` }} isHidden={false} alt="Desk" />,
  );
  await expect.element(page.getByRole('img', { name: 'Desk' })).toHaveAttribute('srcset');
  expect(fetchMock).not.toHaveBeenCalled();
});
