import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
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
    .composite([{ input: Buffer.from(await image.arrayBuffer()), left: 700, top: 400 }])
    .jpeg({ quality: 90 })
    .toBuffer();
  return { name: 'ticket.jpg', mimeType: 'image/jpeg', buffer };
};
