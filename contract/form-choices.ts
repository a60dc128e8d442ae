import type { Campus } from './campus.ts';

// This module must not import schemas, so that pages can display its values without loading the schema
// library (Zod).

/** The topics that the contact form offers (specification §5). */
export const contactTopics = ['Bug Report', 'Safety Concern', 'Feature Request', 'Other'] as const;

/** Job openings that people can apply for (specification §2, "Careers"). */
export const jobOpenings = ['Product Designer', 'Campus Ambassador'] as const;
export type JobOpeningTitle = (typeof jobOpenings)[number];

/** File name extensions accepted for a resume (specification §5). */
export const resumeFileExtensions = ['.pdf', '.doc', '.docx'] as const;
export type ResumeFileExtension = (typeof resumeFileExtensions)[number];
export const maxResumeBytes = 5 * 1024 * 1024;

export const resumeErrorMessages = {
  type: 'Only PDF, DOC, and DOCX files are allowed',
  tooLarge: 'Resume must be at most 5MB',
} as const;

/**
 * Returns the hint shown below the email field of a form. The field's error message is the same
 * text (specification §5).
 */
export const formatCampusEmailHint = (campus: Pick<Campus, 'shortName'>): string =>
  `Please use your ${campus.shortName} email address`;

/** Returns the extension of a file name, or undefined when resumes with this extension are not accepted. */
export const findResumeFileExtension = (filename: string): ResumeFileExtension | undefined =>
  resumeFileExtensions.find((ending) => filename.toLowerCase().endsWith(ending));
