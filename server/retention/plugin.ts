import type { FastifyInstance } from 'fastify';
import { type AddJobs, onSchedule } from '#server/platform/jobs.ts';
import type { RetentionService } from './service.ts';

/** Registers the hourly job that deletes everything whose retention period has ended. */
export const retentionPlugin = async (
  _app: FastifyInstance,
  { addJobs, retention }: { addJobs: AddJobs; retention: RetentionService },
): Promise<void> => {
  addJobs(onSchedule('remove-overdue', '7 * * * *', retention.removeOverdue));
};
