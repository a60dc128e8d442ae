import type { FastifyInstance } from 'fastify';
import type { PluginOptions } from '#server/http/serve.ts';
import { declareScheduledJob } from '#server/platform/jobs.ts';
import { backfillStoredTexts } from './backfill.ts';

/**
 * Registers the job that applies the current text rules to texts that were stored before these
 * rules existed. After it has processed all texts, the job does nothing.
 */
export const textBackfillPlugin = async (
  _server: FastifyInstance,
  { app, addJobs }: PluginOptions,
): Promise<void> => {
  addJobs(declareScheduledJob('check-stored-texts', '* * * * *', () => backfillStoredTexts(app)));
};
