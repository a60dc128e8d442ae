import { createProblem } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import { noteSecurityEvent } from '#server/features/audit/public.ts';
import type { StoredFile } from '#server/platform/files/files.ts';
import { type Queryable, runInTransaction } from '#server/platform/postgres/database.ts';
import { type FormSubmission, findForm, setFormDone } from './inbox-repository.ts';

interface StoredResume {
  key: string;
  name: string;
  bytes: number;
}

/** Returns the stored resume of a form, or undefined when it has none. */
export const getStoredResume = ({ content }: Pick<FormSubmission, 'content'>): StoredResume | undefined =>
  content.resume as StoredResume | undefined;

/** Returns a submitted form. Throws not_found when it does not exist. */
export const getForm = async (app: App, id: string): Promise<FormSubmission> => {
  const form = await findForm(app.sql, id);
  if (!form) throw createProblem('not_found', { sentence: `There is no form ${id}` });
  return form;
};

const changeDone = async (app: App, id: string, doneBy: string | null): Promise<FormSubmission> => {
  const { user_id } = await getForm(app, id);
  await runInTransaction(app.sql, async (tx) => {
    const done = doneBy === null ? null : { at: app.clock.now(), by: doneBy };
    if (!(await setFormDone(tx, id, done))) return;
    const event = done ? 'form_done' : 'form_reopened';
    await noteSecurityEvent(app, { event, userId: user_id ?? undefined, detail: id }, tx);
  });
  return getForm(app, id);
};

/** Marks a form as done; a second call does not change who marked it. Throws not_found when it does not exist. */
export const markFormDone = (app: App, id: string, by: string): Promise<FormSubmission> =>
  changeDone(app, id, by);

/** Marks a form as done in the caller's transaction. Does nothing when it does not exist. */
export const markFormDoneWithin = async (app: App, tx: Queryable, id: string, by: string): Promise<void> => {
  if (await setFormDone(tx, id, { at: app.clock.now(), by }))
    await noteSecurityEvent(app, { event: 'form_done', detail: id }, tx);
};

/** Marks a form as open again. Throws not_found when it does not exist. */
export const reopenForm = (app: App, id: string): Promise<FormSubmission> => changeDone(app, id, null);

/** Returns the resume file of a form. Throws not_found when the form has none. */
export const getResume = async (app: App, formId: string): Promise<StoredFile> => {
  const resume = getStoredResume(await getForm(app, formId));
  const file = resume && (await app.files.read(resume.key));
  if (!file) throw createProblem('not_found', { sentence: `No resume came with the form ${formId}` });
  return file;
};
