import { expect, test } from 'vitest';
import { findAvatarError } from './avatar-rules.ts';

const avatarFile = { type: 'image/webp', size: 5 * 1024 * 1024 - 1 };

test('accepts an avatar of less than 5 MB (specification §5)', () => {
  expect(findAvatarError(avatarFile, 'editor')).toBeUndefined();
});

test('rejects a larger picture with the message of its form', () => {
  const large = { ...avatarFile, size: 5 * 1024 * 1024 };
  expect(findAvatarError(large, 'editor')).toBe('Image must be less than 5MB');
  expect(findAvatarError(large, 'setup')).toBe('Please select an image under 5MB');
});

test('rejects anything but JPG, PNG and WEBP', () => {
  for (const type of ['', 'application/pdf', 'image/svg+xml']) {
    expect(findAvatarError({ ...avatarFile, type }, 'setup')).toBe('Please upload an image file');
  }
});
