import { describe, expect, test } from 'vitest';
import { prepareImage } from './photo-upload.ts';

const createPhoto = async (type: string): Promise<Uint8Array<ArrayBuffer>> => {
  const canvas = new OffscreenCanvas(300, 200);
  const context = canvas.getContext('2d');
  for (let x = 0; context && x < 300; x += 3) {
    context.fillStyle = `hsl(${x} 80% ${x % 100}%)`;
    context.fillRect(x, x % 90, 3, 110);
  }
  return new Uint8Array(await (await canvas.convertToBlob({ type })).arrayBuffer());
};
const toFile = (...parts: Uint8Array<ArrayBuffer>[]) => new File(parts, 'lamp.jpg', { type: 'image/jpeg' });

describe('a photo is prepared for upload', () => {
  test.each(['image/jpeg', 'image/png', 'image/webp'])('in the browser: %s', async (type) => {
    const file = toFile(await createPhoto(type));
    const prepared = await prepareImage(file);
    expect(prepared).not.toBe(file);
    expect(prepared.type).toBe('image/jpeg');
    expect(await createImageBitmap(prepared)).toMatchObject({ width: 300, height: 200 });
  });

  test('in the browser, although bytes follow its end', async () => {
    const file = toFile(await createPhoto('image/jpeg'), new Uint8Array(5000).fill(7));
    expect(await prepareImage(file)).not.toBe(file);
  });

  test.each([0.3, 0.7, 0.95])('by the server if only %d of a JPEG is there', async (part) => {
    const whole = await createPhoto('image/jpeg');
    const file = toFile(whole.slice(0, Math.floor(whole.length * part)));
    expect(await prepareImage(file)).toBe(file);
  });

  test('by the server if it lacks the end marker', async () => {
    const file = toFile((await createPhoto('image/jpeg')).slice(0, -2));
    expect(await prepareImage(file)).toBe(file);
  });

  test('by the server if the browser cannot decode it', async () => {
    const file = toFile((await createPhoto('image/png')).slice(0, 40));
    expect(await prepareImage(file)).toBe(file);
  });

  test('not at all if it is no photo', async () => {
    await expect(prepareImage(toFile(new TextEncoder().encode('no photo at all')))).rejects.toThrow();
  });
});
