import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { type FileStore, isFileKey, storeUnavailableCode } from './files.ts';

/** An S3-compatible store and a bucket that only this deployment uses. */
export interface S3Settings {
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
}

const getHttpStatus = (error: unknown): number | undefined =>
  error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;

// Marks errors that may be temporary as "store unavailable". An error with a status below 500
// (except 429) or with 501 would recur on every retry, so it is returned unchanged.
const toStoreError = (error: unknown): unknown => {
  const status = getHttpStatus(error) ?? 503;
  if (status === 501 || (status < 500 && status !== 429)) return error;
  const reason = error instanceof Error ? error.message || error.name : String(error);
  return Object.assign(new Error(`the file store cannot serve: ${reason}`, { cause: error }), {
    code: storeUnavailableCode,
  });
};

const createClient = ({ endpoint, region, accessKeyId, secretAccessKey }: S3Settings): S3Client =>
  new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    // Send and check the newer AWS checksums only where required, because many other stores do not
    // support them.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: 2_000,
      requestTimeout: 15_000,
      throwOnRequestTimeout: true,
      socketTimeout: 60_000,
    },
  });

const translateErrors = <Result>(request: Promise<Result>): Promise<Result> =>
  request.catch((error: unknown) => {
    throw toStoreError(error);
  });

/** A bucket and the client that its requests are sent with. */
interface Bucket {
  client: S3Client;
  name: string;
}

const readHead = async ({ client, name }: Bucket, key: string) => {
  try {
    return await translateErrors(client.send(new HeadObjectCommand({ Bucket: name, Key: key })));
  } catch (error) {
    if (getHttpStatus(error) === 404) return undefined;
    throw error;
  }
};

// A store with conditional writes guarantees that an existing key is never overwritten, across all processes. Other
// stores ignore the condition or refuse it (501). For them we check for the key first and track the keys being
// written, which leaves a race only between two processes that write the same key at the same moment.
const putNew = async (bucket: Bucket, key: string, Body: Uint8Array, ContentType: string) => {
  if (await readHead(bucket, key)) return 'exists';
  const { client, name } = bucket;
  const write = { Bucket: name, Key: key, Body, ContentType, ContentLength: Body.length };
  try {
    await translateErrors(client.send(new PutObjectCommand({ ...write, IfNoneMatch: '*' })));
  } catch (error) {
    const status = getHttpStatus(error);
    // 412 means that the key already exists, 409 that another write of the key is in progress.
    if (status === 412 || status === 409) return 'exists';
    if (status !== 501) throw error;
    await translateErrors(client.send(new PutObjectCommand(write)));
  }
  return 'stored';
};

/**
 * Creates a file store in a bucket of an S3-compatible store, with path-style URLs. A file is held in memory while it
 * is stored, so that it can be signed and sent again. `check` throws when the bucket cannot be used; `close` closes
 * idle connections.
 */
export const createS3FileStore = (
  settings: S3Settings,
): FileStore & { check(): Promise<void>; close(): Promise<void> } => {
  const { endpoint, bucket: Bucket } = settings;
  const client = createClient(settings);
  const bucket = { client, name: Bucket };
  const keysBeingWritten = new Set<string>();

  return {
    async check() {
      await client.send(new HeadBucketCommand({ Bucket })).catch((error: unknown) => {
        const reason = getHttpStatus(error) ?? (error instanceof Error ? error.message || error.name : error);
        throw new Error(`Cannot use the bucket ${Bucket} at QUAD_S3_ENDPOINT ${endpoint}: ${reason}`, {
          cause: error,
        });
      });
    },

    close: async () => client.destroy(),

    async put(key, content, { contentType }) {
      if (!isFileKey(key)) throw new RangeError('not a file key');
      const bytes = 'path' in content ? await readFile(content.path) : content;
      if (keysBeingWritten.has(key)) return 'exists';
      keysBeingWritten.add(key);
      try {
        return await putNew(bucket, key, bytes, contentType);
      } finally {
        keysBeingWritten.delete(key);
      }
    },

    async copy(from, to) {
      if (!isFileKey(from) || !isFileKey(to)) throw new RangeError('not a file key');
      const CopySource = `${Bucket}/${from}`;
      try {
        await translateErrors(client.send(new CopyObjectCommand({ Bucket, Key: to, CopySource })));
        return true;
      } catch (error) {
        if (getHttpStatus(error) === 404) return false;
        throw error;
      }
    },

    async read(key) {
      const about = isFileKey(key) ? await readHead(bucket, key) : undefined;
      return (
        about && {
          size: about.ContentLength ?? 0,
          contentType: about.ContentType ?? 'application/octet-stream',
          etag: about.ETag ?? '',
          open: async () => {
            const { Body } = await translateErrors(client.send(new GetObjectCommand({ Bucket, Key: key })));
            return Body as Readable;
          },
        }
      );
    },

    async delete(key) {
      if (isFileKey(key)) await translateErrors(client.send(new DeleteObjectCommand({ Bucket, Key: key })));
    },

    async *list(folder) {
      if (!isFileKey(folder)) return;
      let page: string | undefined;
      do {
        const about = { Bucket, Prefix: `${folder}/`, ContinuationToken: page };
        const { Contents = [], NextContinuationToken } = await translateErrors(
          client.send(new ListObjectsV2Command(about)),
        );
        for (const { Key, LastModified } of Contents)
          if (Key && LastModified) yield { key: Key, storedAt: LastModified };
        page = NextContinuationToken;
      } while (page);
    },

    // Uploading an object is atomic, so there are never partial files to remove.
    removeUnfinished: async () => {},
  };
};
