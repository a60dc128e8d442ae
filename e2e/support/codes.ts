import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { BrowserContext } from '@playwright/test';
import sharp from 'sharp';
import { prepareZXingModule, type WriteInputBarcodeFormat, writeBarcode } from 'zxing-wasm/writer';

/** Creates a photo on which a barcode or QR code can be read. */
export const createPhotoOfCode = async (
  text: string,
  format: WriteInputBarcodeFormat = 'QRCode',
): Promise<{ name: string; mimeType: string; buffer: Buffer }> => {
  const wasm = fileURLToPath(import.meta.resolve('zxing-wasm/writer/zxing_writer.wasm'));
  prepareZXingModule({ overrides: { wasmBinary: Uint8Array.from(await readFile(wasm)).buffer } });
  const { image, error } = await writeBarcode(text, { format, scale: 12 });
  if (!image) throw new Error(error);
  const buffer = await sharp({
    create: { width: 1600, height: 1200, channels: 3, background: { r: 180, g: 200, b: 220 } },
  })
    .composite([{ input: Buffer.from(await image.arrayBuffer()), gravity: 'centre' }])
    .jpeg({ quality: 90 })
    .toBuffer();
  return { name: 'ticket.jpg', mimeType: 'image/jpeg', buffer };
};

/** Lets the pages of a browser context see a photo of a code, each time they use the camera. */
export const provideCamera = async (
  context: BrowserContext,
  text: string,
  format: WriteInputBarcodeFormat,
): Promise<void> => {
  const { buffer } = await createPhotoOfCode(text, format);
  await context.addInitScript((photo) => {
    navigator.mediaDevices.getUserMedia = async () => {
      const bytes = Uint8Array.from(atob(photo), (character) => character.charCodeAt(0));
      const picture = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }));
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [picture.width, picture.height];
      // A canvas gives its stream a frame only when it is drawn.
      const draw = (): void => {
        canvas.getContext('2d')?.drawImage(picture, 0, 0);
        requestAnimationFrame(draw);
      };
      draw();
      return canvas.captureStream();
    };
  }, buffer.toString('base64'));
};
