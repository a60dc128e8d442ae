import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import S3rver from '@20minutes/s3rver';
import type { S3Settings } from '#server/platform/files/files-s3.ts';

export interface S3Store {
  settings: S3Settings;
  /** Stops the server, which simulates an outage; calling it again has no effect. */
  close(): Promise<void>;
}

/** How the store handles a write with `If-None-Match: *`, which must fail when the key exists. */
export type ConditionalWriteHandling = 'ignored' | 'refused' | 'honored';

const conditionalWriteErrors = {
  refused: [501, 'NotImplemented'],
  honored: [412, 'PreconditionFailed'],
} as const;

/**
 * Starts a real S3 server on loopback that stores its objects in `directory`. The server itself ignores the
 * condition of conditional writes. With `refused` or `honored`, a handler in front of the server makes it
 * behave like the stores of other vendors.
 */
export const startS3Store = async (
  directory: string,
  conditionalWrites: ConditionalWriteHandling = 'ignored',
  address: { host: string; port: number } = { host: '127.0.0.1', port: 0 },
): Promise<S3Store> => {
  const bucket = 'quad';
  const options = { directory, silent: true, vhostBuckets: false };
  const objectServer = new S3rver({ ...options, allowMismatchedSignatures: false, configureBuckets: [] });
  // AWS's client signs requests to the bucket itself with a slash after the bucket name, but s3rver
  // computes their signature without it. So this instance accepts mismatched signatures.
  const bucketServer = new S3rver({
    ...options,
    allowMismatchedSignatures: true,
    configureBuckets: [{ name: bucket }],
  });
  await bucketServer.configureBuckets();
  const handleObject = objectServer.callback();
  const handleBucket = bucketServer.callback();
  const written = new Set<string>();
  const server = createServer((request, response) => {
    const { method, url = '', headers } = request;
    if (method === 'PUT' && headers['if-none-match'] === '*' && conditionalWrites !== 'ignored') {
      if (conditionalWrites === 'refused' || written.has(url)) {
        const [status, code] = conditionalWriteErrors[conditionalWrites];
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
  await once(server.listen(address), 'listening');
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
      for (const { logger } of [objectServer, bucketServer]) {
        logger.exceptions.unhandle();
        logger.close();
      }
    },
  };
};
