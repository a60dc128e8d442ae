import { successResponseSchema } from '../accounts.ts';
import { consoleAccessSchema } from '../console.ts';
import {
  concernReportSchema,
  createContactFormSchema,
  createDataDeletionRequestSchema,
  withClientId,
} from '../forms.ts';
import { moderationDecisionSchema, newAppealSchema } from '../moderation.ts';
import { newReportSchema, reportReceiptSchema } from '../reports.ts';
import { createItemListSchema, declareCall } from './declare-call.ts';

/**
 * Calls that send the forms of the static pages, report to the moderators, and appeal against moderators'
 * decisions.
 */
export const reportCalls = {
  // Calls that send the forms of the static pages, such as the contact form
  sendReport: declareCall({
    method: 'POST',
    path: '/rest/v1/forms/report',
    summary:
      'Reports a concern, about a listing or anything else, to the support address; the same client_id again changes nothing.',
    access: 'either',
    body: withClientId(concernReportSchema),
    output: successResponseSchema,
    errors: [],
    limit: 'form',
  }),
  sendContact: declareCall({
    method: 'POST',
    path: '/rest/v1/forms/contact',
    summary: 'Sends a message to the support address; the same client_id again changes nothing.',
    access: 'either',
    body: (_today, campus) => withClientId(createContactFormSchema(campus)),
    output: successResponseSchema,
    errors: [],
    limit: 'form',
  }),
  requestDataDeletion: declareCall({
    method: 'POST',
    path: '/rest/v1/forms/deletion-request',
    summary:
      "Asks the support address to delete what is kept about an address's owner; the same client_id again changes nothing.",
    access: 'either',
    body: (_today, campus) => withClientId(createDataDeletionRequestSchema(campus)),
    output: successResponseSchema,
    errors: [],
    limit: 'form',
  }),

  // Calls that report to the moderators, list their decisions and appeal against them
  report: declareCall({
    method: 'POST',
    path: '/rest/v1/reports',
    summary:
      'Reports a listing, a person, a message or a wanted post to the moderators. Reporting the same subject again returns the first report until it is decided.',
    access: 'user',
    body: newReportSchema,
    output: reportReceiptSchema,
    errors: ['report_subject_not_found', 'own_report'],
    limit: 'report',
  }),
  listDecisions: declareCall({
    method: 'GET',
    path: '/rest/v1/me/decisions',
    summary: 'The decisions of moderators about the caller, the newest first.',
    access: 'user',
    output: createItemListSchema(moderationDecisionSchema),
    errors: [],
  }),
  appeal: declareCall({
    method: 'POST',
    path: '/rest/v1/appeals',
    summary:
      'Appeals against a decision about the caller, once. A suspended person names it by the token in the email instead of logging in.',
    access: 'either',
    body: newAppealSchema,
    output: successResponseSchema,
    errors: ['not_authenticated', 'decision_not_found', 'appeal_not_possible', 'appeal_exists'],
    limit: 'form',
  }),

  // This call tells pages whether to load the moderation console. All other calls of the console are declared
  // in console-calls.ts.
  getConsoleAccess: declareCall({
    method: 'GET',
    path: '/rest/v1/moderation/access',
    summary: "The caller's role in the console",
    access: 'moderator',
    output: consoleAccessSchema,
    errors: [],
  }),
} as const;
