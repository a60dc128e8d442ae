import type { Campus } from './campus.ts';

// Separate from the forms' schemas, because pages display these without loading the schema library.

/** The topics of the contact form (specification §5). */
export const contactTopics = ['Bug Report', 'Safety Concern', 'Feature Request', 'Other'] as const;

/** The job openings (specification §2, Careers). */
export const openings = ['Product Designer', 'Campus Ambassador'] as const;
export type Opening = (typeof openings)[number];

/** The accepted types of a resume, and its maximum size in bytes (specification §5, rulings). */
export const resumeEndings = ['.pdf', '.doc', '.docx'] as const;
export type ResumeEnding = (typeof resumeEndings)[number];
export const resumeBytes = 5 * 1024 * 1024;

export const resumeSentences = {
  type: 'Only PDF, DOC, and DOCX files are allowed',
  tooLarge: 'Resume must be at most 5MB',
} as const;

/** Returns the hint below a form's email field, which is also its error message (specification §5). */
export const campusEmailHint = (campus: Pick<Campus, 'shortName'>): string =>
  `Please use your ${campus.shortName} email address`;

/** Returns the extension of a file name if it is allowed for resumes; undefined otherwise. */
export const resumeEnding = (filename: string): ResumeEnding | undefined =>
  resumeEndings.find((ending) => filename.toLowerCase().endsWith(ending));
