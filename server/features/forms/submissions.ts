import { randomUUID } from 'node:crypto';
import type {
  ConcernReport,
  ContactSubmission,
  DataDeletionRequest,
  JobApplication,
} from '#contract/forms.ts';
import type { App } from '#server/app.ts';
import type { MailOf } from '#server/mail/public.ts';
import { isUnavailableError, runInTransaction } from '#server/platform/postgres/database.ts';
import { deleteExpiredForms, type FormRow, hasForm, insertForm } from './repository.ts';
import { resumeFileRemovalQueue } from './resume-file-removal.ts';
import { type ReceivedResume, type StoredResume, storeResume } from './resumes.ts';

/** Id of the account that sends a form, or undefined when nobody is signed in. */
type SenderId = string | undefined;

/** The id that the sender's browser chose for a form, so that sending the form again stores and mails it only once. */
type ClientId = { client_id?: string | undefined };

type FormEmail = Omit<MailOf<'form'>, 'kind' | 'to'>;

/**
 * Number of forms deleted per transaction. It is small enough that a job can delete their resumes well within its
 * timeout.
 */
const formsPerBatch = 100;

/** Stores and mails a form in one transaction, unless there is one with its id. Returns whether it did. */
const storeAndMail = (
  app: App,
  form: { id: string | undefined; kind: FormRow['kind']; sender: SenderId },
  content: Record<string, unknown> & { email?: string },
  email: FormEmail,
): Promise<boolean> =>
  runInTransaction(app.sql, async (tx) => {
    const isNew = await insertForm(tx, {
      id: form.id ?? randomUUID(),
      kind: form.kind,
      user_id: form.sender ?? null,
      email: content.email ?? null,
      content,
      created_at: app.clock.now(),
    });
    if (isNew) await app.mail.send(tx, { kind: 'form', ...email, to: app.config.campus.supportEmail });
    return isNew;
  });

const storeApplication = (
  app: App,
  id: string,
  application: JobApplication,
  { resume, sender }: { resume: StoredResume | undefined; sender: SenderId },
): Promise<boolean> =>
  storeAndMail(
    app,
    { id, kind: 'application', sender },
    { ...application, ...(resume ? { resume } : {}) },
    {
      subject: `Application: ${application.opening}`,
      replyTo: application.email,
      facts: {
        Opening: application.opening,
        Name: application.name,
        Email: application.email,
        Resume: resume?.name ?? 'none',
      },
      ...(resume
        ? { attachment: { filename: resume.name, contentType: resume.contentType, key: resume.key } }
        : {}),
    },
  );

/** Stores and mails a report of the report form. Returns false if it was sent before. */
export const submitConcernReport = (
  app: App,
  { client_id: id, ...report }: ConcernReport & ClientId,
  sender: SenderId,
): Promise<boolean> =>
  storeAndMail(app, { id, kind: 'report', sender }, report, {
    subject: `Report: ${report.subject}`,
    facts: { Subject: report.subject, 'Item link': report.item_link || 'none' },
    text: report.details,
  });

/** Stores and mails a contact form. Returns false if it was sent before. */
export const submitContactForm = (
  app: App,
  { client_id: id, ...contact }: ContactSubmission & ClientId,
  sender: SenderId,
): Promise<boolean> =>
  storeAndMail(app, { id, kind: 'contact', sender }, contact, {
    subject: `${contact.topic} from ${contact.name}`,
    replyTo: contact.email,
    facts: { Topic: contact.topic, Name: contact.name, Email: contact.email },
    text: contact.message,
  });

/** Stores and mails a request to delete data. Returns false if it was sent before. */
export const submitDeletionRequest = (
  app: App,
  { client_id: id, ...request }: DataDeletionRequest & ClientId,
  sender: SenderId,
): Promise<boolean> =>
  storeAndMail(app, { id, kind: 'deletion-request', sender }, request, {
    subject: `Data deletion request from ${request.email}`,
    replyTo: request.email,
    facts: { Email: request.email, 'To be processed within': '30 days' },
  });

/** Stores and mails an application with its received resume, if any, unless it was sent before. */
export const submitApplication = async (
  app: App,
  { client_id: clientId, ...application }: JobApplication & ClientId,
  { resume: received, sender }: { resume: ReceivedResume | undefined; sender: SenderId },
): Promise<void> => {
  // Avoids storing a resume for nothing when the form is sent again.
  if (clientId && (await hasForm(app.sql, clientId))) return;
  const id = clientId ?? randomUUID();
  const resume = received && (await storeResume(app, id, received));
  try {
    const isNew = await storeApplication(app, id, application, { resume, sender });
    if (resume && !isNew) await app.files.delete(resume.key);
  } catch (error) {
    // If the database connection was lost, the application may have been stored nevertheless,
    // so its resume must stay.
    if (resume && !isUnavailableError(error)) await app.files.delete(resume.key);
    throw error;
  }
};

/**
 * Deletes the forms that were marked as done before the given time, or, if they were never done, that arrived
 * before it, and queues the removal of their resumes.
 */
export const removeFormsOlderThan = async (app: App, before: Date): Promise<void> => {
  const removeSome = (): Promise<number> =>
    runInTransaction(app.sql, async (tx) => {
      const removed = await deleteExpiredForms(tx, { before, limit: formsPerBatch });
      const keys = removed.filter((key) => key !== null);
      if (keys.length > 0) await app.jobs.enqueue(tx, resumeFileRemovalQueue, { keys });
      return removed.length;
    });
  while ((await removeSome()) === formsPerBatch);
};
