import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toPublicFileUrl } from '#contract/photos.ts';
import { isFileKey } from '#server/platform/files/files.ts';
import {
  buildFileKey,
  buildObjectPath,
  isDerivedPath,
  parseObjectUrl,
  toPathSegment,
} from './object-names.ts';

describe('names of stored objects', () => {
  test.each([
    ['desk.png', 'desk'],
    ['My Desk (2).JPEG', 'My-Desk-2'],
    ['Büro Möbel.webp', 'Buro-Mobel'],
    ['C:\\photos\\desk.jpg', 'desk'],
    ['shell.php.jpg', 'shell-php'],
    ['写真.jpg', 'photo'],
    ['', 'photo'],
    ['..', 'photo'],
    ['../../../etc/passwd', 'passwd'],
    ['%2e%2e%2fdesk.jpg', '2e-2e-2fdesk'],
    ['a\0b\r\nc.jpg', 'a-b-c'],
    ['.htaccess', 'photo'],
    ['desk@640.webp', 'desk-640'],
  ])('%j becomes %j', (name, clean) => {
    expect(toPathSegment(name)).toBe(clean);
  });

  test("promise 22: the path of any file name is one segment in its owner's folder", () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 5000 }), (name) => {
        const path = buildObjectPath('listing-photos', 'owner', 1, name);
        expect(path).toMatch(/^owner\/1-[A-Za-z0-9-]{1,80}\.jpg$/);
        expect(isFileKey(buildFileKey({ bucket: 'listing-photos', path }))).toBe(true);
        expect(isDerivedPath(path)).toBe(false);
      }),
    );
  });

  test('a path contains the owner and upload time, and for listing photos also the file name', () => {
    expect(buildObjectPath('listing-photos', 'u1', 1772474400000, 'desk.png')).toBe(
      'u1/1772474400000-desk.jpg',
    );
    expect(buildObjectPath('avatars', 'u1', 1772474400000, 'me.png')).toBe('u1/1772474400000.jpg');
  });

  test('a URL of this server identifies its object; any other URL identifies none', () => {
    const object = { bucket: 'avatars', path: 'u1/1.jpg' } as const;
    expect(parseObjectUrl(toPublicFileUrl('avatars', 'u1/1.jpg'))).toEqual(object);
    for (const url of [
      '',
      'https://elsewhere.example/storage/v1/object/public/avatars/u1/1.jpg',
      '/storage/v1/object/public/secrets/u1/1.jpg',
      '/storage/v1/object/public/avatars/../u1/1.jpg',
      '/storage/v1/object/public/avatars/',
    ]) {
      expect(parseObjectUrl(url)).toBeUndefined();
    }
  });
});
