/** Public API of the forms for the rest of the server. */

export { createFormInbox, type FormInbox, getStoredResume } from './inbox-service.ts';
export { createFormReplyService, type FormReplyService } from './reply-service.ts';
export { listResumeFiles } from './repository.ts';
export { resumeFileRemovalQueue } from './resume-file-removal.ts';
export { createFormService, type FormsService } from './service.ts';
