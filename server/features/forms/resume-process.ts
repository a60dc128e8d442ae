// Checks uploaded resumes, which may be hostile, in a separate process that resume-check.ts starts.
import { serveFileTasks } from '#server/platform/files/serve-file-tasks.ts';
import type { ResumeResult, ResumeTask } from './resume-check.ts';
import { hasResumeFormat } from './resume-format.ts';

serveFileTasks(
  async ({ path, ending }: ResumeTask): Promise<ResumeResult> => ({
    isValid: await hasResumeFormat(path, ending),
  }),
);
