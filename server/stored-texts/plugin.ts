import type { FastifyInstance } from 'fastify';
import { declareScheduledJob, type JobCollector } from '#server/platform/jobs.ts';
import type { StoredTextCheck } from './service.ts';

/**
 * Registers the job that applies the current text rules to texts that were stored before these
 * rules existed. After it has checked all texts, the job does nothing.
 */
export const storedTextsPlugin = async (
  _app: FastifyInstance,
  { addJobs, storedTexts }: { addJobs: JobCollector; storedTexts: StoredTextCheck },
): Promise<void> => {
  addJobs(declareScheduledJob('check-stored-texts', '* * * * *', storedTexts.checkNext));
};
