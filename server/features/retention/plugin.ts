import type { FastifyInstance } from 'fastify';
import { declareScheduledJob, type JobCollector } from '#server/platform/jobs.ts';
import type { RetentionService } from './service.ts';

/** Registers the hourly job that deletes everything whose retention period has ended. */
export const retentionPlugin = async (
  _app: FastifyInstance,
  { addJobs, retention }: { addJobs: JobCollector; retention: RetentionService },
): Promise<void> => {
  addJobs(declareScheduledJob('remove-overdue', '7 * * * *', retention.removeOverdue));
};
