// Reads barcodes in a worker, whose Content-Security-Policy allows WebAssembly; that of pages does not.

import { BarcodeDetector, prepareZXingModule } from 'barcode-detector/ponyfill';
import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url';
import type { BarcodeRequest, BarcodeResponse } from './read-barcodes.ts';

// By default, the library loads its WebAssembly from somebody else's server.
prepareZXingModule({
  overrides: {
    locateFile: (path: string, prefix: string) => (path.endsWith('.wasm') ? wasmUrl : prefix + path),
  },
});

const read = async ({ id, picture, formats }: BarcodeRequest): Promise<BarcodeResponse> => {
  try {
    const found = await new BarcodeDetector(formats ? { formats } : {}).detect(picture);
    return {
      id,
      barcodes: found.map(({ rawValue, format, boundingBox: { x, y, width, height } }) => ({
        text: rawValue,
        format,
        area: { x, y, width, height },
      })),
    };
  } catch (error) {
    return { id, error: String(error) };
  } finally {
    picture.close();
  }
};

self.onmessage = async ({ data }: MessageEvent<BarcodeRequest>) => self.postMessage(await read(data));
