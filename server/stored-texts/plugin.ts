import type { FastifyInstance } from 'fastify';
import { type AddJobs, onSchedule } from '#server/platform/jobs.ts';
import type { StoredTexts } from './service.ts';

/** The check of texts that were stored before today's rules; once all of them are checked, it finds nothing to do. */
export const storedTextsPlugin = async (
  _app: FastifyInstance,
  { addJobs, storedTexts }: { addJobs: AddJobs; storedTexts: StoredTexts },
): Promise<void> => {
  addJobs(onSchedule('check-stored-texts', '* * * * *', storedTexts.checkNext));
};
