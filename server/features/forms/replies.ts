import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import {
  type ConsoleForm,
  type ConsoleFormDetail,
  maxFormReplies,
  submittedFormPageSize,
} from '#contract/console-forms.ts';
import { createProblem } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import { noteSecurityEvent } from '#server/features/audit/public.ts';
import { runInTransaction } from '#server/platform/postgres/database.ts';
import { getForm, getResume, getStoredResume, markFormDone, reopenForm } from './inbox.ts';
import { type FormFilter, type FormSubmission, listSubmittedForms } from './inbox-repository.ts';
import {
  type FormReplyAuthor,
  findAccountByAddress,
  insertFormReply,
  listFormReplies,
  lockForm,
} from './reply-repository.ts';

const getTitle = ({ content: { subject, topic, opening } }: FormSubmission): string =>
  String(subject ?? topic ?? opening ?? '');

const presentForm = (form: FormSubmission): ConsoleForm => ({
  id: form.id,
  kind: form.kind,
  title: getTitle(form),
  email: form.email ?? form.sender_email,
  created_at: form.created_at.toISOString(),
  done_at: form.done_at?.toISOString() ?? null,
});

/** Returns a form with its fields, its replies and the accounts it may concern. Throws not_found when there is none. */
export const getFormWithReplies = async (app: App, id: string): Promise<ConsoleFormDetail> => {
  const form = await getForm(app, id);
  const { resume: _, ...fields } = form.content;
  const resume = getStoredResume(form);
  const replies = await listFormReplies(app.sql, id);
  const sender = form.user_id && form.sender_email ? { id: form.user_id, email: form.sender_email } : null;
  const named =
    form.email === null
      ? undefined
      : await findAccountByAddress(app.sql, { email: form.email, hasSender: sender !== null });
  return {
    ...presentForm(form),
    fields: Object.entries(fields).map(([name, value]) => ({ name, value: String(value) })),
    resume: resume ? { name: resume.name, bytes: resume.bytes } : null,
    sender,
    named_account: named ?? null,
    answers: replies.map(({ id, answer_text, author, created_at }) => ({
      id,
      text: answer_text,
      author,
      created_at: created_at.toISOString(),
    })),
  };
};

/** Returns a page of forms, newest first; `cursor` is the id of the last form of the previous page. */
export const listForms = async (
  app: App,
  wanted: {
    kind?: FormSubmission['kind'] | undefined;
    state: FormFilter['state'];
    cursor?: string | undefined;
  },
) => {
  const forms = await listSubmittedForms(app.sql, {
    kind: wanted.kind ?? null,
    state: wanted.state,
    before: wanted.cursor ?? null,
    limit: submittedFormPageSize + 1,
  });
  const items = forms.slice(0, submittedFormPageSize);
  return {
    items: items.map(presentForm),
    next_cursor: forms.length > submittedFormPageSize ? (items.at(-1)?.id ?? null) : null,
  };
};

/**
 * Opens the resume that came with a form. Returns it with a file name that contains nothing chosen by its sender.
 * Throws not_found when the form has no resume.
 */
export const openResume = async (app: App, formId: string): Promise<{ name: string; content: Readable }> => {
  const { key = '' } = getStoredResume(await getForm(app, formId)) ?? {};
  const file = await getResume(app, formId);
  return { name: `${formId.slice(0, 8)}-${basename(key)}`, content: await file.open() };
};

/** Marks a form as done or open. */
export const setFormState = async (
  app: App,
  id: string,
  { done, by }: { done: boolean; by: string },
): Promise<ConsoleFormDetail> => {
  await (done ? markFormDone(app, id, by) : reopenForm(app, id));
  return getFormWithReplies(app, id);
};

/**
 * Stores a reply and mails it to the form's sender. Does nothing when the form already has a reply with this
 * id. Throws form_without_address when the sender left no address, and too_many_answers when the form already has
 * the maximum number of replies.
 */
export const replyToForm = async (
  app: App,
  id: string,
  reply: { id: string; text: string },
  author: FormReplyAuthor,
): Promise<ConsoleFormDetail> => {
  const form = await getForm(app, id);
  const to = form.email ?? form.sender_email;
  if (to === null) throw createProblem('form_without_address');
  await runInTransaction(app.sql, async (tx) => {
    if (!(await lockForm(tx, id))) throw createProblem('not_found');
    const earlier = await listFormReplies(tx, id);
    if (earlier.some((it) => it.id === reply.id)) return;
    if (earlier.length >= maxFormReplies) throw createProblem('too_many_answers');
    const stored = await insertFormReply(tx, { ...reply, formId: id, author, now: app.clock.now() });
    // Another form already has a reply with this id.
    if (!stored) throw createProblem('validation_failed');
    await noteSecurityEvent(
      app,
      { event: 'form_answered', userId: form.user_id ?? undefined, detail: id },
      tx,
    );
    const { message, details } = form.content;
    const question = message ?? details;
    await app.mail.send(tx, {
      kind: 'form_answer',
      to,
      subject: getTitle(form) || 'Your request',
      text: reply.text,
      ...(question === undefined ? {} : { question: String(question) }),
    });
  });
  return getFormWithReplies(app, id);
};
