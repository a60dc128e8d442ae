import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import S3rver from '@20minutes/s3rver';
import type { S3Settings } from '#server/platform/files/files-s3.ts';

export interface S3Store {
  settings: S3Settings;
  /** Stops responding, like a store that is down; may be called again. */
  close(): Promise<void>;
}

/** How a store handles a conditional write that must only succeed for a new key. */
export type ConditionalWrites = 'ignored' | 'refused' | 'honored';

const refusals = { refused: [501, 'NotImplemented'], honored: [412, 'PreconditionFailed'] } as const;

/**
 * Starts a real S3 server on loopback with its objects below `directory`. It does not implement conditional writes and
 * ignores the condition; `refused` and `honored` add the behavior of other stores in front of it.
 */
export const startS3Store = async (
  directory: string,
  conditionalWrites: ConditionalWrites = 'ignored',
): Promise<S3Store> => {
  const bucket = 'quad';
  const options = { directory, silent: true, vhostBuckets: false };
  const strict = new S3rver({ ...options, allowMismatchedSignatures: false, configureBuckets: [] });
  // The server computes signatures without the slash that the vendor's client signs after a bucket's name.
  const lenient = new S3rver({
    ...options,
    allowMismatchedSignatures: true,
    configureBuckets: [{ name: bucket }],
  });
  await lenient.configureBuckets();
  const handleObject = strict.callback();
  const handleBucket = lenient.callback();
  const written = new Set<string>();
  const server = createServer((request, response) => {
    const { method, url = '', headers } = request;
    if (method === 'PUT' && headers['if-none-match'] === '*' && conditionalWrites !== 'ignored') {
      if (conditionalWrites === 'refused' || written.has(url)) {
        const [status, code] = refusals[conditionalWrites];
        request.resume();
        response.writeHead(status, { 'content-type': 'application/xml' });
        response.end(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
        return;
      }
      written.add(url);
    }
    const { pathname } = new URL(url, 'http://store');
    if (pathname === `/${bucket}/`) handleBucket(request, response);
    else handleObject(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    settings: {
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      bucket,
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
    },
    async close() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      for (const { logger } of [strict, lenient]) {
        logger.exceptions.unhandle();
        logger.close();
      }
    },
  };
};
