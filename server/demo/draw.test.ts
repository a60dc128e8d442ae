import { expect, test } from 'vitest';
import { drawPictures } from './draw.ts';
import type { Picture } from './drawings/picture.ts';

test('every picture is drawn once and handed over under its own number', async () => {
  const pictures: Picture[] = [
    { drawing: 'mugs', seed: 1, close: false },
    { drawing: 'lamp', seed: 2, close: true },
    { drawing: 'tickets', seed: 3, close: false },
  ];
  const kept: number[] = [];
  await drawPictures(pictures, async (print, index) => {
    expect(print.files.length).toBeGreaterThan(1);
    kept.push(index);
  });
  expect(kept.sort()).toEqual([0, 1, 2]);
});

test('a photo that cannot be kept fails the whole', async () => {
  const full = drawPictures([{ drawing: 'mugs', seed: 1, close: false }], () =>
    Promise.reject(new Error('disk full')),
  );
  await expect(full).rejects.toThrow('disk full');
});

test('a picture that cannot be drawn fails the whole', async () => {
  const unknown = { drawing: 'nothing', seed: 1, close: false } as unknown as Picture;
  await expect(drawPictures([unknown], async () => {})).rejects.toThrow('A picture could not be drawn');
});
