import type { ResumeFileExtension } from '#contract/form-choices.ts';
import { createFileProcess, type FileProcess } from '#server/platform/files/file-process.ts';

export interface ResumeTask {
  path: string;
  ending: ResumeFileExtension;
}

export interface ResumeResult {
  /** Whether the file has the format of its extension. */
  isValid: boolean;
}

/** Checks the format of uploaded resumes in a separate process. */
export type ResumeChecker = FileProcess<ResumeTask, ResumeResult>;

/** Creates the process that checks resumes. It starts with the first resume. */
export const createResumeChecker = (): ResumeChecker =>
  // A check takes milliseconds. With a lower priority, a busy machine could exceed the time limit of a valid file.
  createFileProcess(new URL('./resume-process.ts', import.meta.url), { niceness: 0 });
