import { z } from 'zod';
import { caseActions, moderationSignalKinds } from '#contract/moderation.ts';
import { reportReasons } from '#contract/reports.ts';
import { demoTimePattern } from './demo-times.ts';

const at = z.string().regex(demoTimePattern);

/** What a demo case is about: a listing (by its title), a person, or a message (by its whole text). */
const subjectSchema = z.union([
  z.strictObject({ listing: z.string() }),
  z.strictObject({ person: z.string() }),
  z.strictObject({ message: z.string(), listing: z.string(), buyer: z.string() }),
]);

const reportSchema = z.strictObject({
  at,
  by: z.string(),
  report: z.enum(reportReasons),
  text: z.string(),
});
/** A signal: something suspicious that the server noticed automatically. */
const signalSchema = z.strictObject({ at, signal: z.enum(moderationSignalKinds), text: z.string() });
/** A step: a moderator reserves the case. */
const assignmentSchema = z.strictObject({ at, by: z.string(), assign: z.literal(true) });
/** A step: a moderator takes an action, which takes effect immediately. Nobody is suspended on the demo campus. */
const actionSchema = z.strictObject({
  at,
  by: z.string(),
  action: z.enum(caseActions).exclude(['suspend']),
  text: z.string(),
});
/** A step: the person whom the case is about appeals against the latest action. */
const appealSchema = z.strictObject({ at, by: z.string(), appeal: z.string() });

export const demoCaseSchema = z.strictObject({
  about: subjectSchema,
  steps: z.array(z.union([reportSchema, signalSchema, assignmentSchema, actionSchema, appealSchema])),
});

export type DemoCase = z.infer<typeof demoCaseSchema>;
export type DemoCaseStep = DemoCase['steps'][number];
