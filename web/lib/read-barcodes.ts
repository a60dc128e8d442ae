import type { BarcodeFormat } from 'barcode-detector/ponyfill';
import type { PictureArea } from './photo-upload.ts';

export interface Barcode {
  text: string;
  format: string;
  area: PictureArea;
}

/** What the page asks the worker, and what the worker responds. */
export interface BarcodeRequest {
  id: number;
  picture: ImageBitmap;
  formats: BarcodeFormat[] | undefined;
}
export type BarcodeResponse = { id: number } & ({ barcodes: Barcode[] } | { error: string });

/** How long the worker may take in milliseconds, with loading its WebAssembly. */
const timeoutMs = 20_000;

let worker: Worker | undefined;
let lastId = 0;

/** Ends the worker, so that the next picture starts a new one. */
const endWorker = (): void => {
  worker?.terminate();
  worker = undefined;
};

const ask = (asked: Worker, request: BarcodeRequest): Promise<Barcode[]> => {
  const control = new AbortController();
  const options = { signal: control.signal };
  let timer: ReturnType<typeof setTimeout>;
  // The oldest supported browsers lack `Promise.withResolvers`.
  return new Promise<Barcode[]>((resolve, reject) => {
    const fail = (reason: string): void => {
      endWorker();
      reject(new Error(reason));
    };
    timer = setTimeout(() => fail('Reading barcodes took too long.'), timeoutMs);
    asked.addEventListener('error', () => fail('The reader of barcodes could not be loaded.'), options);
    asked.addEventListener(
      'message',
      ({ data }: MessageEvent<BarcodeResponse>) => {
        if (data.id !== request.id) return;
        if ('error' in data) fail(data.error);
        else resolve(data.barcodes);
      },
      options,
    );
    asked.postMessage(request, [request.picture]);
  }).finally(() => {
    clearTimeout(timer);
    control.abort();
  });
};

/**
 * Returns the barcodes and QR codes in a picture, of all formats by default. Rejects when the picture cannot be decoded, or
 * when the reader cannot be loaded, for example because the device is offline.
 */
export const readBarcodes = async (
  source: Blob | HTMLCanvasElement | HTMLVideoElement,
  formats?: BarcodeFormat[],
): Promise<Barcode[]> => {
  const picture = await createImageBitmap(source);
  worker ??= new Worker(new URL('./barcode-worker.ts', import.meta.url), { type: 'module' });
  lastId += 1;
  return ask(worker, { id: lastId, picture, formats });
};
