import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import {
  type ConsoleForm,
  type ConsoleFormDetail,
  maxFormReplies,
  submittedFormPageSize,
} from '#contract/console-forms.ts';
import { createProblem } from '#contract/errors.ts';
import type { AuditTrail } from '#server/features/audit/public.ts';
import type { Mailer } from '#server/mail/public.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { FileStore } from '#server/platform/files/files.ts';
import { runInTransaction, type Sql } from '#server/platform/postgres/database.ts';
import type { FormSubmission } from './inbox-repository.ts';
import { type FormInbox, getStoredResume } from './inbox-service.ts';
import {
  type FormReplyAuthor,
  findAccountByAddress,
  insertFormReply,
  listFormReplies,
  lockForm,
} from './reply-repository.ts';

interface FormDeskDeps {
  sql: Sql;
  clock: Clock;
  audit: Pick<AuditTrail, 'note'>;
  mailer: Pick<Mailer, 'sendFormReply'>;
  inbox: FormInbox;
}

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

/**
 * Creates the service with which the console shows submitted forms, and with which the console and commands reply to
 * them by email.
 */
export const createFormReplyService = ({ sql, clock, audit, mailer, inbox }: FormDeskDeps) => {
  const get = async (id: string): Promise<ConsoleFormDetail> => {
    const form = await inbox.get(id);
    const { resume: _, ...fields } = form.content;
    const resume = getStoredResume(form);
    const replies = await listFormReplies(sql, id);
    const sender = form.user_id && form.sender_email ? { id: form.user_id, email: form.sender_email } : null;
    const named =
      form.email === null
        ? undefined
        : await findAccountByAddress(sql, { email: form.email, hasSender: sender !== null });
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

  return {
    get,

    /** Returns a page of forms, newest first; `cursor` is the id of the last form of the previous page. */
    list: async (wanted: {
      kind?: FormSubmission['kind'] | undefined;
      state: 'open' | 'done' | 'all';
      cursor?: string | undefined;
    }) => {
      const forms = await inbox.list({
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
    },

    /**
     * Opens the resume that came with a form. Returns it with a file name that contains nothing chosen by its sender.
     * Throws not_found when the form has no resume.
     */
    openResume: async (
      id: string,
      files: Pick<FileStore, 'read'>,
    ): Promise<{ name: string; content: Readable }> => {
      const { key = '' } = getStoredResume(await inbox.get(id)) ?? {};
      const file = await inbox.getResume(id, files);
      return { name: `${id.slice(0, 8)}-${basename(key)}`, content: await file.open() };
    },

    /** Marks a form as done or open. */
    change: async (id: string, done: boolean, by: string): Promise<ConsoleFormDetail> => {
      await (done ? inbox.markDone(id, by) : inbox.reopen(id));
      return get(id);
    },

    /**
     * Stores a reply and mails it to the form's sender. Does nothing when the form already has a reply with this
     * id. Throws form_without_address when the sender left no address, and too_many_answers when the form already has
     * the maximum number of replies.
     */
    reply: async (
      id: string,
      reply: { id: string; text: string },
      author: FormReplyAuthor,
    ): Promise<ConsoleFormDetail> => {
      const form = await inbox.get(id);
      const to = form.email ?? form.sender_email;
      if (to === null) throw createProblem('form_without_address');
      await runInTransaction(sql, async (tx) => {
        if (!(await lockForm(tx, id))) throw createProblem('not_found');
        const earlier = await listFormReplies(tx, id);
        if (earlier.some((it) => it.id === reply.id)) return;
        if (earlier.length >= maxFormReplies) throw createProblem('too_many_answers');
        const stored = await insertFormReply(tx, { ...reply, formId: id, author, now: clock.now() });
        // Another form already has a reply with this id.
        if (!stored) throw createProblem('validation_failed');
        await audit.note({ event: 'form_answered', userId: form.user_id ?? undefined, detail: id }, tx);
        const { message, details } = form.content;
        const question = message ?? details;
        await mailer.sendFormReply(tx, {
          to,
          subject: getTitle(form) || 'Your request',
          text: reply.text,
          ...(question === undefined ? {} : { question: String(question) }),
        });
      });
      return get(id);
    },
  };
};

export type FormReplyService = ReturnType<typeof createFormReplyService>;
