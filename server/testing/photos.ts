import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import sharp from 'sharp';
import { defaultCampus } from '#contract/campus.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { App, SessionChecks } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { photosPlugin } from '#server/features/photos/plugin.ts';
import { defaultUploadTiming } from '#server/features/photos/upload-timing.ts';
import { installErrorHandler } from '#server/http/error-replies.ts';
import { installLingeringClose } from '#server/http/lingering-close.ts';
import { addSeconds } from '#server/platform/clock.ts';
import { createDiskFileStore, type FileStore } from '#server/platform/files/files.ts';
import type { UploadTimeouts } from '#server/platform/files/receive-upload.ts';
import { createImageProcessor } from '#server/platform/images/images.ts';
import { noRateLimits } from '#server/platform/no-rate-limits.ts';
import { openDatabase } from '#server/platform/postgres/database.ts';
import { createRateLimits } from '#server/platform/rate-limits.ts';
import { createTestClock } from './clock.ts';
import { createTestDatabase } from './database.ts';
import { createStubApp } from './stub-app.ts';

const listFilesIn = async (start: string) => {
  const entries = await readdir(start, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
};

/** Creates a server with only the photo routes, where everybody who is signed in is a moderator. */
const createPhotoRoutes = (app: App): FastifyInstance => {
  const server = Fastify();
  server.decorateRequest('session', undefined);
  server.decorateRequest('sessionCheckedAt', 0);
  installErrorHandler(server, defaultCampus);
  installLingeringClose(server);
  const sessionChecks: SessionChecks = {
    authenticate: async (_app, token) => ({
      userId: token,
      sessionId: token,
      expiresAt: addSeconds(app.clock.now(), 3600),
    }),
    requireConsoleRole: async () => 'moderator',
  };
  server.register(photosPlugin, { app: { ...app, sessionChecks }, addJobs: () => {} });
  return server;
};

/**
 * Starts the photo routes with a real database, disk and image process. The id of a user serves as the user's
 * access token.
 */
export const startPhotoServer = async (
  options: {
    timeouts?: UploadTimeouts;
    slotRenewalMs?: number;
    wrap?: (files: FileStore) => FileStore;
    limited?: boolean;
  } = {},
) => {
  const folder = await mkdtemp(join(tmpdir(), 'photos-'));
  const database = await createTestDatabase();
  const sql = openDatabase(database.url, { max: 4 });
  const clock = createTestClock();
  const images = createImageProcessor();
  const root = join(folder, 'files');
  const uploads = join(folder, 'uploads');
  const disk = createDiskFileStore({ root });
  /** Creates an App on the same database and disk, like that of another server process. */
  const createOtherApp = () =>
    createStubApp({
      config: readConfig({ NODE_ENV: 'test', QUAD_DATA_DIR: folder }),
      ...{ sql, clock, images },
      files: options.wrap?.(disk) ?? disk,
      limits: options.limited ? createRateLimits(sql) : noRateLimits,
      uploadTiming: {
        timeouts: options.timeouts ?? defaultUploadTiming.timeouts,
        slotRenewalMs: options.slotRenewalMs ?? defaultUploadTiming.slotRenewalMs,
      },
    });
  const app = createOtherApp();
  const server = createPhotoRoutes(app);

  return {
    app,
    http: server,
    sql,
    clock,
    images,
    createOtherApp,
    async addUser(id: string = randomUUID()): Promise<string> {
      const now = clock.now();
      await sql`INSERT INTO users (id, email, created_at, updated_at)
        VALUES (${id}, ${`${id}@example.com`}, ${now}, ${now})`;
      return id;
    },
    /** Returns the names of all stored files. */
    storedFiles: () => listFilesIn(root),
    uploadFiles: () => listFilesIn(uploads),
    objects: () => sql`SELECT * FROM private.objects ORDER BY created_at, path`,
    async upload(userId: string, file: FilePart, bucket = 'listing-photos') {
      const response = await server.inject({
        method: 'POST',
        url: `/storage/v1/object/${bucket}`,
        headers: { authorization: `Bearer ${userId}`, 'content-type': multipartContentType },
        payload: buildMultipartBody(file),
      });
      return {
        status: response.statusCode,
        ...response.json<Partial<ErrorBody> & { path: string; publicUrl: string }>(),
      };
    },
    remove: (userId: string, path: string, bucket = 'listing-photos') =>
      server.inject({
        method: 'DELETE',
        url: `/storage/v1/object/${bucket}/${path}`,
        headers: { authorization: `Bearer ${userId}` },
      }),
    async stop() {
      await server.close();
      images.close();
      await sql.end();
      await database.drop();
      await rm(folder, { recursive: true });
    },
  };
};
export type PhotoServer = Awaited<ReturnType<typeof startPhotoServer>>;

export interface FilePart {
  bytes: Buffer;
  name?: string;
  type?: string;
}

export const multipartContentType = 'multipart/form-data; boundary=xyz';
export const buildMultipartHead = (name: string, type = 'image/jpeg') =>
  Buffer.from(
    `--xyz\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`,
  );
export const multipartTail = Buffer.from('\r\n--xyz--\r\n');
export const buildMultipartBody = ({ bytes, name = 'desk.jpg', type }: FilePart): Buffer =>
  Buffer.concat([buildMultipartHead(name, type), bytes, multipartTail]);

/** Returns a small, valid JPEG with the given size in pixels. */
export const createTestPhoto = (width = 40, height = 30): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#990000' } })
    .jpeg()
    .toBuffer();
