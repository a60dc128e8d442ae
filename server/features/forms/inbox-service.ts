import { createProblem } from '#contract/errors.ts';
import type { AuditTrail } from '#server/features/audit/public.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { FileStore, StoredFile } from '#server/platform/files/files.ts';
import type { Queryable, Sql } from '#server/platform/postgres/database.ts';
import {
  type FormFilter,
  type FormSubmission,
  findForm,
  listSubmittedForms,
  setFormDone,
} from './inbox-repository.ts';

interface FormInboxDeps {
  sql: Sql;
  clock: Clock;
  audit: Pick<AuditTrail, 'note'>;
}

interface StoredResume {
  key: string;
  name: string;
  bytes: number;
}

/** Returns the stored resume of a form, or undefined when it has none. */
export const getStoredResume = ({ content }: Pick<FormSubmission, 'content'>): StoredResume | undefined =>
  content.resume as StoredResume | undefined;

/** Creates the service with which administrators read submitted forms and mark them as done. */
export const createFormInbox = ({ sql, clock, audit }: FormInboxDeps) => {
  const get = async (id: string): Promise<FormSubmission> => {
    const form = await findForm(sql, id);
    if (!form) throw createProblem('not_found', { sentence: `There is no form ${id}` });
    return form;
  };

  const change = async (id: string, doneBy: string | null): Promise<FormSubmission> => {
    const { user_id } = await get(id);
    await sql.begin(async (tx) => {
      const done = doneBy === null ? null : { at: clock.now(), by: doneBy };
      if (!(await setFormDone(tx, id, done))) return;
      const event = done ? 'form_done' : 'form_reopened';
      await audit.note({ event, userId: user_id ?? undefined, detail: id }, tx);
    });
    return get(id);
  };

  return {
    /** Lists forms by kind and state, newest first. */
    list: (wanted: FormFilter): Promise<FormSubmission[]> => listSubmittedForms(sql, wanted),

    /** Returns a form. Throws not_found when it does not exist. */
    get,

    /** Marks a form as done; a second call does not change who marked it. */
    markDone: (id: string, by: string): Promise<FormSubmission> => change(id, by),

    /** Marks a form as done in the caller's transaction. Does nothing when it does not exist. */
    markDoneIn: async (tx: Queryable, id: string, by: string): Promise<void> => {
      if (await setFormDone(tx, id, { at: clock.now(), by }))
        await audit.note({ event: 'form_done', detail: id }, tx);
    },

    /** Marks a form as open again. */
    reopen: (id: string): Promise<FormSubmission> => change(id, null),

    /** Returns the resume file of a form. Throws not_found when the form has none. */
    getResume: async (id: string, files: Pick<FileStore, 'read'>): Promise<StoredFile> => {
      const resume = getStoredResume(await get(id));
      const file = resume && (await files.read(resume.key));
      if (!file) throw createProblem('not_found', { sentence: `No resume came with the form ${id}` });
      return file;
    },
  };
};

export type FormInbox = ReturnType<typeof createFormInbox>;
