import type { FastifyInstance } from 'fastify';
import { declareScheduledJob, type JobCollector } from '#server/platform/jobs.ts';
import type { TextBackfill } from './service.ts';

/**
 * Registers the job that applies the current text rules to texts that were stored before these
 * rules existed. After it has processed all texts, the job does nothing.
 */
export const textBackfillPlugin = async (
  _app: FastifyInstance,
  { addJobs, textBackfill }: { addJobs: JobCollector; textBackfill: TextBackfill },
): Promise<void> => {
  addJobs(declareScheduledJob('check-stored-texts', '* * * * *', textBackfill.runBatches));
};
