import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { type ConsoleFormDetail, formReplySchema } from '#contract/console-forms.ts';
import { readConfig } from '#server/config.ts';
import {
  type FormSubmission,
  getForm,
  getFormWithReplies,
  getResume,
  getStoredResume,
  listSubmittedForms,
  markFormDone,
  reopenForm,
  replyToForm,
} from '#server/features/forms/public.ts';
import { ownerOnlyFileMode } from '../../platform/files/owner-only.ts';
import { resolveFolder } from '../command.ts';
import { type JsonOption, printLine, printResult } from '../printing.ts';
import { runWithApp } from '../run-with-app.ts';
import { UsageError } from '../usage-error.ts';
import { createShellActor, type ReasonOptions, readActor } from './actor.ts';

const formatFormState = ({ done_at, done_by }: FormSubmission): string =>
  done_at ? `done ${done_at.toISOString()} by ${done_by}` : 'open';
const formatSender = ({ sender_email, email }: FormSubmission): string =>
  sender_email ?? email ?? 'not signed in';
const toOneLine = (value: string): string => value.replace(/\s+/g, ' ').trim();
const formatTitle = ({ content: { subject, topic, opening } }: FormSubmission): string =>
  toOneLine(String(subject ?? topic ?? opening ?? ''));

const formatSummary = (form: FormSubmission): string =>
  [
    form.id,
    form.created_at.toISOString(),
    form.kind.padEnd(16),
    formatFormState(form),
    formatSender(form),
    formatTitle(form),
  ]
    .join('  ')
    .trimEnd();

const formatDetails = (form: FormSubmission, replies: ConsoleFormDetail['answers']): string => {
  const { resume: _, ...fields } = form.content;
  const resume = getStoredResume(form);
  const facts: [string, unknown][] = [
    ['id', form.id],
    ['kind', form.kind],
    ['sent', form.created_at.toISOString()],
    ['state', formatFormState(form)],
    ['account', form.user_id ? `${form.sender_email} (${form.user_id})` : 'none'],
    ...Object.entries(fields),
    ...(resume ? [['resume', `${resume.name}, ${resume.bytes} bytes`] as [string, unknown]] : []),
    ...replies.map(({ author, created_at: at, text }): [string, unknown] => [
      'answer',
      `${at} by ${author ?? 'a former administrator'}\n${text}`,
    ]),
  ];
  return facts
    .map(([name, value]) => `${name.padEnd(10)} ${String(value).replaceAll('\n', `\n${' '.repeat(11)}`)}`)
    .join('\n');
};

/** Returns the fields of a form that `--json` prints. */
const toFields = (form: FormSubmission) => {
  const { resume: _, ...content } = form.content;
  const resume = getStoredResume(form);
  return {
    id: form.id,
    kind: form.kind,
    created_at: form.created_at,
    done_at: form.done_at,
    done_by: form.done_by,
    user_id: form.user_id,
    email: form.sender_email ?? form.email,
    content,
    resume: resume ? { name: resume.name, bytes: resume.bytes } : null,
  };
};

interface FilterOptions extends JsonOption {
  kind?: FormSubmission['kind'] | undefined;
  state: 'open' | 'done' | 'all';
  before?: string | undefined;
  limit: number;
}

export const printForms = (options: FilterOptions): Promise<void> =>
  runWithApp(readConfig(process.env), undefined, async (app) => {
    const { kind = null, state, before = null, limit } = options;
    const forms = await listSubmittedForms(app.sql, { kind, state, before, limit });
    if (options.json) return printResult(forms.map(toFields), options, String);
    if (forms.length === 0) printLine('There are no such forms.');
    for (const form of forms) printLine(formatSummary(form));
    if (forms.length === limit) printLine(`Older ones: --before ${forms.at(-1)?.id}`);
  });

export const printForm = (id: string, options: JsonOption): Promise<void> =>
  runWithApp(readConfig(process.env), undefined, async (app) => {
    const form = await getForm(app, id);
    const { answers } = await getFormWithReplies(app, id);
    printResult({ ...toFields(form), answers }, options, () => formatDetails(form, answers));
  });

interface FormReplyOptions {
  text?: string | undefined;
  file?: string | undefined;
  reason?: string | undefined;
}

/**
 * Reads the reply to a form from the arguments or from a file. Throws a UsageError when it is missing or too
 * long.
 */
const readReply = async ({ text, file, reason }: FormReplyOptions) => {
  if ((text === undefined) === (file === undefined))
    throw new UsageError('answer needs either --text or --file.');
  const given = text ?? (await readFile(resolveFolder(file ?? ''), 'utf8'));
  const { data, error } = formReplySchema.safeParse({ id: randomUUID(), text: given, reason });
  if (!data) throw new UsageError(error.issues[0]?.message);
  return data;
};

/** Stores a reply to a form and mails it, as the console does; prints the address of the recipient. */
export const answer = async (form: string, options: FormReplyOptions): Promise<void> => {
  const reply = await readReply(options);
  const actor = createShellActor(reply.reason);
  await runWithApp(readConfig(process.env), actor, async (app) => {
    const { email } = await replyToForm(app, form, reply, { name: actor.name });
    printLine(`The answer was stored and is mailed to ${email}.`);
  });
};

export const setDone = async (form: string, isDone: boolean, options: ReasonOptions): Promise<void> => {
  const config = readConfig(process.env);
  const actor = await readActor(isDone ? 'done' : 'reopen', options);
  await runWithApp(config, actor, async (app) =>
    printLine(formatSummary(await (isDone ? markFormDone(app, form, actor.name) : reopenForm(app, form)))),
  );
};

/** Writes the resume of an application to a new file. */
export const writeResume = (form: string, file: string): Promise<void> =>
  runWithApp(readConfig(process.env), undefined, async (app) => {
    const target = resolveFolder(file);
    const resume = await getResume(app, form);
    await pipeline(await resume.open(), createWriteStream(target, { flags: 'wx', mode: ownerOnlyFileMode }));
    printLine(`Wrote ${resume.size} bytes to ${target}`);
  });
