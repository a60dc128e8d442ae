/** Public API of the forms for other features and the shell. */
export { createFormInbox, type FormInbox, resumeOf } from './inbox-service.ts';
export { resumeRemovalQueue } from './removal.ts';
export { listResumeFiles } from './repository.ts';
export { createForms, type Forms } from './service.ts';
