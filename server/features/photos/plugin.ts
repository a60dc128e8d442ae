import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createProblem, Problem } from '#contract/errors.ts';
import type { StorageBucket } from '#contract/photos.ts';
import type { App } from '#server/app.ts';
import { isNotModified } from '#server/http/freshness.ts';
import { createCallGuard, findSession, type PluginOptions, recheckSession } from '#server/http/serve.ts';
import { isFileKey } from '#server/platform/files/files.ts';
import { declareQueueJob, declareScheduledJob } from '#server/platform/jobs.ts';
import { isBucket, isPublicBucket, type ObjectName } from './object-names.ts';
import { removeOrphanedPhotos } from './orphans.ts';
import type { PhotoViewer } from './policy.ts';
import { findPhoto } from './reading.ts';
import { fileRemovalQueue, removeOwnPhoto, removeUnusedPhotos } from './removal.ts';
import { createTooLargeProblem, getMaxUploadBytes, removeUploadLeftovers, uploadPhoto } from './uploads.ts';

const storagePath = '/storage/v1/object';

/** Maximum size of a multipart body apart from its file: boundaries, part headers and a few small fields. */
const maxMultipartOverheadBytes = 64 * 1024;

const getBucket = (request: FastifyRequest): StorageBucket => {
  const { bucket } = request.params as { bucket: string };
  if (!isBucket(bucket)) throw createProblem('bucket_not_found');
  return bucket;
};

const getObjectName = (request: FastifyRequest): ObjectName => {
  const object = { bucket: getBucket(request), path: (request.params as { '*': string })['*'] };
  if (!isFileKey(object.path)) throw createProblem('object_not_found');
  return object;
};

const getPublicObjectName = (request: FastifyRequest): ObjectName => {
  const object = getObjectName(request);
  if (!isPublicBucket(object.bucket)) throw createProblem('bucket_not_found');
  return object;
};

const getCallerId = (request: FastifyRequest): string => {
  if (!request.session) throw createProblem('not_authenticated');
  return request.session.userId;
};

/** Returns who requests a photo, or undefined when the person is not signed in. */
const findViewer = async (app: App, request: FastifyRequest): Promise<PhotoViewer | undefined> => {
  const session = await findSession(request, app);
  if (!session) return undefined;
  const role = await app.sessionChecks
    .requireConsoleRole(app, session, 'moderator')
    .catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error;
      return undefined;
    });
  return { userId: session.userId, isModerator: role !== undefined };
};

/**
 * Returns the Cache-Control header of a photo. Caches that several people share ask again after an hour, so that they do not
 * serve a photo for long after it was hidden.
 */
const getCacheControl = ({ derived, hidden }: { derived: boolean; hidden: boolean }): string => {
  if (hidden) return 'private, no-store';
  return derived ? 'public, max-age=31536000, immutable, s-maxage=3600' : 'public, max-age=3600';
};

const getContentLength = (request: FastifyRequest): number | undefined => {
  const length = Number(request.headers['content-length']);
  return Number.isSafeInteger(length) ? length : undefined;
};

/**
 * Returns the first file of the multipart body. Throws malformed_request when the body has an error
 * before the file or contains no file, and request_timeout when the signal aborts.
 */
const receiveFirstFile = async (request: FastifyRequest, limit: number, signal: AbortSignal) => {
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(createProblem('request_timeout')), { once: true });
  });
  const limits = { fileSize: limit + 1, files: 1, fields: 10, fieldSize: 1000, parts: 11 };
  const file = request.file({ limits, throwFileSizeLimit: false }).catch(() => undefined);
  const found = await Promise.race([file, late]);
  if (!found) throw createProblem('malformed_request');
  return found;
};

/**
 * Registers the routes of photos and avatars (uploads by their owners, downloads by everybody, except of photos of
 * messages; specification §7, "File storage") and the jobs that remove unused files.
 */
export const photosPlugin = async (
  server: FastifyInstance,
  { app, addJobs }: PluginOptions,
): Promise<void> => {
  addJobs(
    declareQueueJob(fileRemovalQueue, ({ urls }) => removeUnusedPhotos(app, urls)),
    declareScheduledJob('remove-leftovers', '17 * * * *', () => removeUploadLeftovers(app)),
    declareScheduledJob('remove-orphans', '43 9 * * *', () => removeOrphanedPhotos(app)),
  );

  const stopListening = app.hiddenPhotos.follow();
  server.addHook('onClose', async () => stopListening());
  server.addHook('onReady', async () => {
    // Ignore an unavailable database: the first request for a photo tries again.
    await app.hiddenPhotos.prepare().catch(() => undefined);
  });

  const guards = {
    upload: createCallGuard(app, { access: 'user', limit: 'upload' }),
    messagePhoto: createCallGuard(app, { access: 'user', limit: 'message_photo' }),
  };
  // Somebody who sends many photos can still post a listing.
  const guardUpload = (request: FastifyRequest) => {
    const { bucket } = request.params as { bucket?: string };
    return bucket === 'message-photos' ? guards.messagePhoto(request) : guards.upload(request);
  };

  const upload = async (request: FastifyRequest, reply: FastifyReply) => {
    const bucket = getBucket(request);
    const userId = getCallerId(request);
    const limit = getMaxUploadBytes(bucket);
    const announced = getContentLength(request);
    if (announced !== undefined && announced > limit + maxMultipartOverheadBytes)
      throw createTooLargeProblem(bucket, announced);
    if (!request.isMultipart()) throw createProblem('unsupported_media_type');
    const signal = AbortSignal.timeout(app.uploadTiming.timeouts.total);
    const { file, filename } = await receiveFirstFile(request, limit, signal);
    const assertSession = () => recheckSession(app, 'user', request);
    const stored = await uploadPhoto(app, userId, {
      bucket,
      filename,
      content: file,
      announced,
      signal,
      assertSession,
    });
    return reply.header('cache-control', 'no-store').send(stored);
  };

  const remove = async (request: FastifyRequest, reply: FastifyReply) => {
    await removeOwnPhoto(app, getCallerId(request), getObjectName(request));
    return reply.header('cache-control', 'no-store').send({ success: true });
  };

  const serveFile = async (request: FastifyRequest, reply: FastifyReply) => {
    const file = await findPhoto(app, getPublicObjectName(request), () => findViewer(app, request));
    if (!file) throw createProblem('object_not_found');
    reply.headers({
      etag: file.etag,
      'cache-control': getCacheControl(file),
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      // Allow other sites to embed these public files, for example in link previews.
      'cross-origin-resource-policy': 'cross-origin',
    });
    if (isNotModified(request, file.etag)) return reply.code(304).send();
    reply.headers({ 'content-type': file.contentType, 'content-length': String(file.size) });
    return reply.send(request.method === 'HEAD' ? undefined : await file.open());
  };

  await server.register(multipart);
  server.post(
    `${storagePath}/:bucket`,
    {
      onRequest: guardUpload,
      config: { description: { summary: 'Uploads a photo.', access: 'user', body: 'file' } },
    },
    upload,
  );
  server.delete(
    `${storagePath}/:bucket/*`,
    {
      onRequest: createCallGuard(app, { access: 'user', limit: 'write' }),
      config: { description: { summary: 'Deletes a photo.', access: 'user' } },
    },
    remove,
  );
  server.route({
    method: ['GET', 'HEAD'],
    url: `${storagePath}/public/:bucket/*`,
    config: { description: { summary: 'A public photo.', access: 'anyone', response: 'file' } },
    handler: serveFile,
  });
};
