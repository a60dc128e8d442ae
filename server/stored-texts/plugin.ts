import type { FastifyInstance } from 'fastify';
import { type AddJobs, onSchedule } from '#server/platform/jobs.ts';
import type { StoredTexts } from './service.ts';

/**
 * Registers the job that applies the current text rules to texts stored before these rules. Once all texts are checked,
 * the job finds nothing to do.
 */
export const storedTextsPlugin = async (
  _app: FastifyInstance,
  { addJobs, storedTexts }: { addJobs: AddJobs; storedTexts: StoredTexts },
): Promise<void> => {
  addJobs(onSchedule('check-stored-texts', '* * * * *', storedTexts.checkNext));
};
