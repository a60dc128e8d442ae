import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { type ConsoleFormDetail, formReplySchema } from '#contract/console-forms.ts';
import type { App } from '#server/app.ts';
import type { Config } from '#server/config.ts';
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
import { ownerOnlyFileMode } from '../platform/files/owner-only.ts';
import { createShellActor, readActor } from './actor.ts';
import { parseCommandArguments, printLine, resolveFolder, runCommand, UsageError } from './command.ts';
import { runWithApp } from './run-with-app.ts';

const usage = `Usage: npm run forms -- <what>
  list [--kind report|contact|application|deletion-request] [--state open|done|all] [--limit 20] [--before <form>]
                                   the newest first; without --state the open ones
  show <form>                      everything that was sent
  answer <form> --text "…"         emails an answer to the sender and stores it with the form; --file reads a longer one
                                   from a text file. The form stays open until it is marked as done
  done <form> --reason "…"         marks it as done
  reopen <form> --reason "…"       undoes that
  resume <form> <file>             writes the resume that came with it to a new file
<form> is an id. The audit trail keeps the reasons.`;

const stringOption = { type: 'string' } as const;
const commandOptions = {
  kind: stringOption,
  state: stringOption,
  limit: stringOption,
  before: stringOption,
  reason: stringOption,
  text: stringOption,
  file: stringOption,
};

const listOptionsSchema = z.object({
  kind: z.enum(['report', 'contact', 'application', 'deletion-request']).nullable().default(null),
  state: z.enum(['open', 'done', 'all']).default('open'),
  before: z.uuid().nullable().default(null),
  limit: z.coerce.number().int().min(1).max(1000).default(20),
});

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

const printForms = async (app: App, values: object): Promise<void> => {
  const { data: wanted } = listOptionsSchema.safeParse(values);
  if (!wanted) throw new UsageError(usage);
  const forms = await listSubmittedForms(app.sql, wanted);
  if (forms.length === 0) printLine('There are no such forms.');
  for (const form of forms) printLine(formatSummary(form));
  if (forms.length === wanted.limit) printLine(`Older ones: --before ${forms.at(-1)?.id}`);
};

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
  if ((text === undefined) === (file === undefined)) throw new UsageError(usage);
  const given = text ?? (await readFile(resolveFolder(file ?? ''), 'utf8'));
  const { data, error } = formReplySchema.safeParse({ id: randomUUID(), text: given, reason });
  if (!data) throw new UsageError(error.issues[0]?.message ?? usage);
  return data;
};

/** Stores a reply to a form and mails it, as the console does; prints the address of the recipient. */
const sendReply = async (config: Config, form: string, options: FormReplyOptions): Promise<void> => {
  const reply = await readReply(options);
  const actor = createShellActor(reply.reason);
  await runWithApp(config, actor, async (app) => {
    const { email } = await replyToForm(app, form, reply, { name: actor.name });
    printLine(`The answer was stored and is mailed to ${email}.`);
  });
};

await runCommand(async (config, args) => {
  const { values, positionals } = parseCommandArguments(args, usage, commandOptions);
  const [what = '', form = '', file, ...rest] = positionals;
  const isChange = what === 'done' || what === 'reopen';
  const isWellFormed =
    what === 'list'
      ? form === ''
      : z.uuid().safeParse(form).success && (what === 'resume') === (file !== undefined);
  if (
    !['list', 'show', 'answer', 'done', 'reopen', 'resume'].includes(what) ||
    !isWellFormed ||
    rest.length > 0
  ) {
    throw new UsageError(usage);
  }
  if (what === 'answer') return sendReply(config, form, values);
  const actor = isChange ? await readActor(what, values.reason, usage) : undefined;
  await runWithApp(config, actor, async (app) => {
    if (what === 'list') return printForms(app, values);
    if (what === 'show')
      return printLine(
        formatDetails(await getForm(app, form), (await getFormWithReplies(app, form)).answers),
      );
    if (actor) {
      const changed = await (what === 'done' ? markFormDone(app, form, actor.name) : reopenForm(app, form));
      return printLine(formatSummary(changed));
    }
    const target = resolveFolder(file ?? '');
    const resume = await getResume(app, form);
    await pipeline(await resume.open(), createWriteStream(target, { flags: 'wx', mode: ownerOnlyFileMode }));
    printLine(`Wrote ${resume.size} bytes to ${target}`);
  });
});
