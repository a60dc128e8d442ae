import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';

/**
 * Builds the service worker into the build folder. The worker contains the paths of the built
 * assets, so it must be built after them.
 */
export const buildServiceWorker = async (root: string, buildFolder: string): Promise<void> => {
  const files = (await readdir(join(buildFolder, 'client', 'assets')))
    // The service worker does not cache the password-strength estimator and the reader of barcodes, which are large and
    // not needed offline, nor the scripts of the moderation console, which few people use.
    .filter((name) => !/^(password-estimate|barcode-worker|zxing_reader|console)-/.test(name))
    .sort()
    .map((name) => `/assets/${name}`);
  const buildName = createHash('sha256').update(files.join()).digest('hex').slice(0, 12);
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define: {
      builtFiles: JSON.stringify(files),
      buildName: JSON.stringify(buildName),
      'process.env.NODE_ENV': '"production"',
    },
    build: {
      outDir: buildFolder,
      emptyOutDir: false,
      rolldownOptions: {
        input: join(root, 'web', 'offline', 'service-worker.ts'),
        // The worker is a single classic script, because not every browser supports module workers.
        output: { format: 'iife', entryFileNames: 'worker.js' },
      },
    },
  });
};
