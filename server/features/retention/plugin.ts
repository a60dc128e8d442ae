import type { FastifyInstance } from 'fastify';
import type { PluginOptions } from '#server/http/serve.ts';
import { declareScheduledJob } from '#server/platform/jobs.ts';
import { removeOverdueData } from './removal.ts';

/** Registers the hourly job that deletes everything whose retention period has ended. */
export const retentionPlugin = async (
  _server: FastifyInstance,
  { app, addJobs }: PluginOptions,
): Promise<void> => {
  addJobs(declareScheduledJob('remove-overdue', '7 * * * *', () => removeOverdueData(app)));
};
