import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfigurationExample } from './configuration.ts';
import { type MachineProcess, startProcess, waitForValue } from './machine-process.ts';
import type { ClusterNetwork } from './network.ts';

/** The machine of a cluster that runs Redis and an S3 server. */
export interface StorageMachine {
  startRedis(): void;
  killRedis(): Promise<void>;
  /** Resolves when Redis and the S3 server accept connections. */
  ready(): Promise<void>;
}

const s3ServerFile = fileURLToPath(new URL('s3-server.ts', import.meta.url));

/** Starts Redis and an S3 server whose bucket is `quad`. */
export const startStorageMachine = (
  network: ClusterNetwork,
  folder: string,
  redisPassword: string,
): StorageMachine => {
  mkdirSync(folder);
  const configuration = join(folder, 'redis.conf');
  writeFileSync(configuration, readConfigurationExample('redis.conf', { 'redis-password': redisPassword }));
  let redis: MachineProcess | undefined;
  const startRedis = (): void => {
    redis = startProcess(
      network.commandOn('store1', ['/usr/bin/redis-server', configuration]),
      join(folder, 'redis.log'),
    );
  };
  startRedis();
  startProcess(
    network.commandOn('store1', [process.execPath, s3ServerFile, join(folder, 'objects')]),
    join(folder, 's3.log'),
  );
  const isListening = async (port: number): Promise<true | undefined> =>
    (await network.run('store1', ['ss', '-Hltn', 'sport', '=', `:${port}`])) === '' ? undefined : true;
  return {
    startRedis,
    killRedis: async () => {
      redis?.signal('SIGKILL');
      await redis?.ended;
    },
    ready: async () => {
      await waitForValue('Redis', () => isListening(6379), 20_000);
      await waitForValue('the S3 server', () => isListening(9000), 60_000);
    },
  };
};
