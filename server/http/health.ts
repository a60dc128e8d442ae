import type { FastifyInstance } from 'fastify';
import { serverVersion } from '#server/platform/process/version.ts';

/** Checks a dependency of this process; rejects when the dependency does not work. */
export type ReadinessCheck = () => Promise<unknown>;

const checkTimeoutMs = 2_000;

const succeedsInTime = async (check: ReadinessCheck): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('too slow')), checkTimeoutMs);
  });
  try {
    await Promise.race([check(), late]);
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Registers `/healthz` and `/readyz`. `/healthz` returns 200 and the version while this process is alive.
 * `/readyz` returns the state of each dependency; its status is 503 while any dependency fails.
 */
export const registerHealthRoutes = (
  server: FastifyInstance,
  checks: Record<string, ReadinessCheck>,
): void => {
  server.get('/healthz', async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ alive: true, version: serverVersion }),
  );
  server.get('/readyz', async (_request, reply) => {
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await succeedsInTime(check)] as const),
    );
    const ready = results.every(([, well]) => well);
    return reply
      .code(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ ready, ...Object.fromEntries(results) });
  });
};
