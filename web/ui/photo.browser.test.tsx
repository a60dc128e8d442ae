import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Photo } from './photo.tsx';

/** A valid picture: one red pixel. */
const validPhotoUrl = 'data:image/gif;base64,R0lGODlhAQABAIABAP8AAP///yH5BAEAAAEALAAAAAABAAEAAAICRAEAOw==';
/** A URL whose data is not a valid picture. */
const brokenPhotoUrl = 'data:image/png;base64,AAAA';
const thumbhash = '1QcSHQRnh493V4dIh4eXh1h4kJUI';

const findPhoto = (name: string) => page.getByRole('img', { name });

test('a photo fills its 4:3 frame and is loaded lazily', async () => {
  await render(<Photo src={validPhotoUrl} alt="A lamp" />);
  const photo = findPhoto('A lamp');
  await expect.element(photo).toHaveAttribute('loading', 'lazy');
  const { width, height } = photo.element().getBoundingClientRect();
  expect(width / height).toBeCloseTo(4 / 3, 1);
});

test('a priority photo is loaded eagerly', async () => {
  await render(<Photo src={validPhotoUrl} alt="A lamp" priority ratio="square" />);
  const photo = findPhoto('A lamp');
  await expect.element(photo).toHaveAttribute('loading', 'eager');
  await expect.element(photo).toHaveAttribute('fetchpriority', 'high');
  const { width, height } = photo.element().getBoundingClientRect();
  expect(width).toBeCloseTo(height, 0);
});

test('a missing photo shows an empty frame with its alternative text', async () => {
  await render(<Photo src={null} alt="A lamp" />);
  await expect.element(findPhoto('A lamp')).toBeVisible();
  expect(document.querySelector('img')).toBeNull();
});

test('a broken photo shows an empty frame until it gets another source', async () => {
  const { rerender } = await render(<Photo src={brokenPhotoUrl} alt="A lamp" priority />);
  await expect.poll(() => document.querySelector('img')).toBeNull();
  await expect.element(findPhoto('A lamp')).toBeVisible();
  await rerender(<Photo src={validPhotoUrl} alt="A lamp" priority />);
  await expect.poll(() => document.querySelector('img')?.complete).toBe(true);
});

test('the frame has the average color of its photo', async () => {
  const { container } = await render(<Photo src={validPhotoUrl} alt="A lamp" thumbhash={thumbhash} />);
  const { backgroundColor } = getComputedStyle(container.firstElementChild as Element);
  expect(backgroundColor).toMatch(/^rgb\(\d+, \d+, \d+\)$/);
  const plain = await render(<Photo src={validPhotoUrl} alt="A chair" />);
  expect(getComputedStyle(plain.container.firstElementChild as Element).backgroundColor).not.toBe(
    backgroundColor,
  );
});

test('a source in a better format precedes the image', async () => {
  await render(
    <Photo
      src={validPhotoUrl}
      alt="A lamp"
      sizes="50vw"
      source={{ type: 'image/avif', srcSet: '/lamp.avif 400w' }}
    />,
  );
  const source = document.querySelector('picture > source');
  expect(source?.getAttribute('type')).toBe('image/avif');
  expect(source?.getAttribute('sizes')).toBe('50vw');
});
