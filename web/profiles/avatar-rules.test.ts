import { expect, test } from 'vitest';
import { findAvatarError } from './avatar-rules.ts';

const photo = { type: 'image/webp', size: 5 * 1024 * 1024 - 1 };

test('a picture of less than 5 MB can become an avatar (§5)', () => {
  expect(findAvatarError(photo, 'editor')).toBeUndefined();
});

test('a larger picture is refused with the message of its form', () => {
  const large = { ...photo, size: 5 * 1024 * 1024 };
  expect(findAvatarError(large, 'editor')).toBe('Image must be less than 5MB');
  expect(findAvatarError(large, 'setup')).toBe('Please select an image under 5MB');
});

test('anything but JPG, PNG and WEBP is refused', () => {
  for (const type of ['', 'application/pdf', 'image/svg+xml']) {
    expect(findAvatarError({ ...photo, type }, 'setup')).toBe('Please upload an image file');
  }
});
