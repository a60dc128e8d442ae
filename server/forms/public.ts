/** Public API of the forms for the rest of the server. */
export { createFormAnswerService, type FormAnswerService } from './answer-service.ts';
export { createFormInbox, type FormInbox, getStoredResume } from './inbox-service.ts';
export { resumeRemovalQueue } from './removal.ts';
export { listResumeFiles } from './repository.ts';
export { createFormService, type FormsService } from './service.ts';
