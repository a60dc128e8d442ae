import { describe, expect, test } from 'vitest';
import { partitionPhotoFiles } from '#web/lib/photo-files.ts';
import { type PhotoItem, photoReducer, toPhotoItems } from './photo-items.ts';

const createFile = (name: string, type: string, size = 1000): File =>
  Object.defineProperty(new File([], name, { type }), 'size', { value: size });

describe('picked files (specification §5)', () => {
  test('JPEG, PNG and WebP files below 10 MB are accepted', () => {
    const files = [
      createFile('a.jpg', 'image/jpeg', 10 * 1024 * 1024 - 1),
      createFile('b.png', 'image/png'),
      createFile('c.webp', 'image/webp'),
    ];
    expect(partitionPhotoFiles(files, 0)).toEqual({ taken: files, refusals: [] });
  });
  test('other kinds are refused', () => {
    expect(
      partitionPhotoFiles([createFile('a.gif', 'image/gif'), createFile('b.jpg', 'text/html')], 0),
    ).toEqual({
      taken: [],
      refusals: Array(2).fill({
        title: 'Invalid file',
        text: 'Only JPG, JPEG, PNG, and WEBP images are allowed',
      }),
    });
  });
  test('a file that is too large is refused with a message that states its size', () => {
    expect(partitionPhotoFiles([createFile('a.jpg', 'image/jpeg', 10 * 1024 * 1024)], 0).refusals).toEqual([
      { title: 'Invalid file', text: 'File size must be less than 10MB (10.0MB)' },
    ]);
    expect(partitionPhotoFiles([createFile('a.jpg', 'image/jpeg', 12.34 * 1024 * 1024)], 0).refusals).toEqual(
      [{ title: 'Invalid file', text: 'File size must be less than 10MB (12.3MB)' }],
    );
  });
  test('files beyond the fifth photo are refused', () => {
    const four = Array.from({ length: 4 }, (_, index) => createFile(`${index}.jpg`, 'image/jpeg'));
    const { taken, refusals } = partitionPhotoFiles(four, 2);
    expect(taken).toHaveLength(3);
    expect(refusals).toEqual([{ title: 'Too many photos', text: 'Maximum 5 photos allowed' }]);
  });
});

describe('the photos of the form', () => {
  const stored = (...photos: string[]): PhotoItem[] =>
    toPhotoItems({ photos, images: [], hidden_reason: null });
  const fresh: PhotoItem = {
    id: '1',
    preview: 'blob:1',
    url: null,
    uploading: true,
    progress: 0,
    error: null,
    file: null,
    isSavedOnDevice: false,
  };

  test('of a stored listing include their dimensions if known', () => {
    const image = { url: 'b', width: 1600, height: 1200, thumbhash: 'abc=' };
    expect(toPhotoItems({ photos: ['a', 'b'], images: [image], hidden_reason: null })).toMatchObject([
      { preview: 'a', url: 'a', image: undefined },
      { preview: 'b', url: 'b', image },
    ]);
    expect(toPhotoItems()).toEqual([]);
  });

  test('go from uploading to stored', () => {
    const items = [
      { kind: 'added', items: [fresh] } as const,
      { kind: 'progressed', id: '1', progress: 40 } as const,
      { kind: 'stored', id: '1', url: '/photo' } as const,
    ].reduce(photoReducer, []);
    expect(items).toEqual([{ ...fresh, url: '/photo', uploading: false, progress: 100 }]);
  });
  test('keep the error of a failed upload until it is retried', () => {
    const failed = photoReducer([fresh], { kind: 'failed', id: '1', error: 'No' });
    expect(failed[0]).toMatchObject({ uploading: false, error: 'No' });
    expect(photoReducer(failed, { kind: 'started', id: '1' })[0]).toMatchObject({
      uploading: true,
      progress: 0,
      error: null,
    });
  });
  test('can be removed, and any can become the cover', () => {
    const three = stored('a', 'b', 'c');
    const urls = (items: readonly PhotoItem[]) => items.map((item) => item.url);
    expect(urls(photoReducer(three, { kind: 'removed', id: 'b' }))).toEqual(['a', 'c']);
    expect(urls(photoReducer(three, { kind: 'made-cover', id: 'c' }))).toEqual(['c', 'a', 'b']);
  });
  test.each([
    ['a', 'c', ['b', 'c', 'a']],
    ['c', 'a', ['c', 'a', 'b']],
    ['b', 'b', ['a', 'b', 'c']],
    ['gone', 'a', ['a', 'b', 'c']],
    ['a', 'gone', ['a', 'b', 'c']],
  ])('%s moves to the position of %s', (id, to, order) => {
    const moved = photoReducer(stored('a', 'b', 'c'), { kind: 'moved', id, to });
    expect(moved.map((item) => item.url)).toEqual(order);
  });
});
