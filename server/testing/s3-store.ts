import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import S3rver from '@20minutes/s3rver';
import type { S3Settings } from '#server/platform/files/files-s3.ts';

export interface S3Store {
  settings: S3Settings;
  /** Stops answering, as a store that is down; may be repeated. */
  close(): Promise<void>;
}

/** How a store takes a write that is to happen only when the key is new. */
export type ConditionalWrites = 'ignored' | 'refused' | 'kept';

const refuse = { refused: [501, 'NotImplemented'], kept: [412, 'PreconditionFailed'] } as const;

/**
 * A real S3 server on loopback that keeps its objects below `directory`. It does not know conditional writes and so
 * ignores the condition; `refused` and `kept` put before it what other stores do.
 */
export const startS3Store = async (
  directory: string,
  conditionalWrites: ConditionalWrites = 'ignored',
): Promise<S3Store> => {
  const bucket = 'quad';
  const options = { directory, silent: true, vhostBuckets: false };
  const strict = new S3rver({ ...options, allowMismatchedSignatures: false, configureBuckets: [] });
  // The server reckons signatures without the slash that the vendor's client signs after a bucket's name.
  const lenient = new S3rver({
    ...options,
    allowMismatchedSignatures: true,
    configureBuckets: [{ name: bucket }],
  });
  await lenient.configureBuckets();
  const ofObject = strict.callback();
  const ofBucket = lenient.callback();
  const written = new Set<string>();
  const server = createServer((request, response) => {
    const { method, url = '', headers } = request;
    if (method === 'PUT' && headers['if-none-match'] === '*' && conditionalWrites !== 'ignored') {
      if (conditionalWrites === 'refused' || written.has(url)) {
        const [status, code] = refuse[conditionalWrites];
        request.resume();
        response.writeHead(status, { 'content-type': 'application/xml' });
        response.end(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
        return;
      }
      written.add(url);
    }
    const { pathname } = new URL(url, 'http://store');
    if (pathname === `/${bucket}/`) ofBucket(request, response);
    else ofObject(request, response);
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
