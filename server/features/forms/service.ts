import { randomUUID } from 'node:crypto';
import type { Campus } from '#contract/campus.ts';
import type {
  ConcernReport,
  ContactSubmission,
  DataDeletionRequest,
  JobApplication,
} from '#contract/forms.ts';
import type { FormMail, Mailer } from '#server/mail/public.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { FileStore } from '#server/platform/files/files.ts';
import { deleteUnreferencedFiles } from '#server/platform/files/unreferenced-files.ts';
import type { JobQueue } from '#server/platform/jobs.ts';
import { isUnavailableError, type Sql } from '#server/platform/postgres/database.ts';
import { deleteExpiredForms, hasForm, insertForm, listReferencedResumes } from './repository.ts';
import { createResumeChecker, type ResumeChecker } from './resume-check.ts';
import { resumeFileRemovalQueue } from './resume-file-removal.ts';
import { createResumeStore, type ReceivedResume, type StoredResume } from './resumes.ts';

export interface FormsDeps {
  sql: Sql;
  clock: Clock;
  campus: Campus;
  jobs: Pick<JobQueue, 'enqueue'>;
  mailer: Pick<Mailer, 'sendForm'>;
  files: FileStore;
  uploads: string;
  /** Checks resumes; tests pass another one. */
  resumeChecker?: ResumeChecker;
}

/** Id of the account that sends a form, or undefined when nobody is signed in. */
type SenderId = string | undefined;

/** The id that the sender's browser chose for a form, so that sending the form again stores and mails it only once. */
type ClientId = { client_id?: string | undefined };

type FormEmail = Omit<FormMail, 'to'>;

/** Timeouts of a resume upload in milliseconds: `idle` between two chunks, `total` for the whole upload. */
const uploadTimeouts = { idle: 15_000, total: 55_000 };
/**
 * Number of forms deleted per transaction. It is small enough that a job can delete their resumes well within its
 * timeout.
 */
const formsPerBatch = 100;

export type FormsService = ReturnType<typeof createFormService>;

/** Creates the service for the forms of the static pages, which stores and mails each form in one transaction. */
export const createFormService = (deps: FormsDeps) => {
  const { sql, clock, campus, jobs, mailer, files, uploads, resumeChecker = createResumeChecker() } = deps;
  const resumes = createResumeStore({ files, uploads, timeouts: uploadTimeouts, checker: resumeChecker });

  /** Stores and mails a form unless there is one with its id. Returns whether it did. */
  const storeAndMail = (
    form: {
      id: string | undefined;
      kind: 'report' | 'contact' | 'application' | 'deletion-request';
      sender: SenderId;
    },
    content: Record<string, unknown> & { email?: string },
    email: FormEmail,
  ): Promise<boolean> =>
    sql.begin(async (tx) => {
      const isNew = await insertForm(tx, {
        id: form.id ?? randomUUID(),
        kind: form.kind,
        user_id: form.sender ?? null,
        email: content.email ?? null,
        content,
        created_at: clock.now(),
      });
      if (isNew) await mailer.sendForm(tx, { ...email, to: campus.supportEmail });
      return isNew;
    });

  const storeApplication = (
    id: string,
    application: JobApplication,
    resume: StoredResume | undefined,
    sender: SenderId,
  ): Promise<boolean> =>
    storeAndMail(
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

  return {
    timeouts: uploadTimeouts,

    report: ({ client_id: id, ...report }: ConcernReport & ClientId, sender: SenderId): Promise<boolean> =>
      storeAndMail({ id, kind: 'report', sender }, report, {
        subject: `Report: ${report.subject}`,
        facts: { Subject: report.subject, 'Item link': report.item_link || 'none' },
        text: report.details,
      }),

    contact: (
      { client_id: id, ...contact }: ContactSubmission & ClientId,
      sender: SenderId,
    ): Promise<boolean> =>
      storeAndMail({ id, kind: 'contact', sender }, contact, {
        subject: `${contact.topic} from ${contact.name}`,
        replyTo: contact.email,
        facts: { Topic: contact.topic, Name: contact.name, Email: contact.email },
        text: contact.message,
      }),

    requestDeletion: (
      { client_id: id, ...request }: DataDeletionRequest & ClientId,
      sender: SenderId,
    ): Promise<boolean> =>
      storeAndMail({ id, kind: 'deletion-request', sender }, request, {
        subject: `Data deletion request from ${request.email}`,
        replyTo: request.email,
        facts: { Email: request.email, 'To be processed within': '30 days' },
      }),

    /**
     * Deletes the forms that were marked as done before the given time, or, if they were never done, that arrived
     * before it, and queues the removal of their resumes.
     */
    removeOlderThan: async (before: Date): Promise<void> => {
      const removeSome = (): Promise<number> =>
        sql.begin(async (tx) => {
          const removed = await deleteExpiredForms(tx, { before, limit: formsPerBatch });
          const keys = removed.filter((key) => key !== null);
          if (keys.length > 0) await jobs.enqueue(tx, resumeFileRemovalQueue, { keys });
          return removed.length;
        });
      while ((await removeSome()) === formsPerBatch);
    },

    /** Deletes the files with these keys. Skips missing ones. */
    deleteResumes: async (keys: readonly string[]): Promise<void> => {
      for (const key of keys) await files.delete(key);
    },

    /** Deletes resumes older than a day that no application refers to, because it was not stored or was deleted. */
    removeResumeOrphans: (): Promise<void> =>
      deleteUnreferencedFiles({
        files,
        clock,
        folder: 'forms',
        toReference: (key) => key,
        listKnown: (keys) => listReferencedResumes(sql, keys),
      }),

    receiveResume: resumes.receive,
    discardResume: resumes.discard,
    /** Ends the process that checks resumes. */
    close: resumeChecker.close,

    /** Stores an application with its received resume, if any. */
    async apply(
      { client_id: clientId, ...application }: JobApplication & ClientId,
      received: ReceivedResume | undefined,
      sender: SenderId,
    ): Promise<void> {
      // Avoids storing a resume for nothing when the form is sent again.
      if (clientId && (await hasForm(sql, clientId))) return;
      const id = clientId ?? randomUUID();
      const resume = received && (await resumes.store(id, received));
      try {
        const isNew = await storeApplication(id, application, resume, sender);
        if (resume && !isNew) await resumes.remove(resume);
      } catch (error) {
        // If the database connection was lost, the application may have been stored nevertheless,
        // so its resume must stay.
        if (resume && !isUnavailableError(error)) await resumes.remove(resume);
        throw error;
      }
    },
  };
};
