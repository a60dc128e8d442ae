export {
  getForm,
  getResume,
  getStoredResume,
  markFormDone,
  markFormDoneWithin,
  reopenForm,
} from './inbox.ts';
export { type FormSubmission, listSubmittedForms } from './inbox-repository.ts';
export { getFormWithReplies, listForms, openResume, replyToForm, setFormState } from './replies.ts';
export { listResumeFiles } from './repository.ts';
export { createResumeChecker } from './resume-check.ts';
export { resumeFileRemovalQueue } from './resume-file-removal.ts';
export { removeFormsOlderThan } from './submissions.ts';
