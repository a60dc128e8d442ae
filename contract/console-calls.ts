import { successSchema } from './accounts.ts';
import { declareCall, idParamsSchema } from './calls/declare-call.ts';
import {
  consoleFormDetailSchema,
  formAnswerSchema,
  formChangeSchema,
  formPageSchema,
  formQuerySchema,
} from './console-forms.ts';
import { overviewSchema } from './console-overview.ts';
import {
  consolePersonDetailSchema,
  newPersonSchema,
  peoplePageSchema,
  peopleQuerySchema,
  personActionSchema,
  personDeletionSchema,
} from './console-people.ts';
import { caseCalls } from './moderation-calls.ts';

/** Path from which administrators download the resume that came with a form. */
export const resumePath = '/rest/v1/moderation/forms/{id}/resume';

/** The calls of the console of moderators and administrators. */
export const consoleCalls = {
  ...caseCalls,
  getOverview: declareCall({
    method: 'GET',
    path: '/rest/v1/moderation/overview',
    summary:
      'Numbers of sign-ups, listings, deals and cases per day and week, and the state of the open cases',
    access: 'moderator',
    output: overviewSchema,
    errors: [],
    limit: 'console',
  }),

  // People
  listPeople: declareCall({
    method: 'GET',
    path: '/rest/v1/moderation/people',
    summary: 'People with a text in their name or address, or with an id, the newest first, a page at a time',
    access: 'administrator',
    query: peopleQuerySchema,
    output: peoplePageSchema,
    errors: [],
    limit: 'console',
  }),
  createPerson: declareCall({
    method: 'POST',
    path: '/rest/v1/moderation/people',
    summary: 'Creates an account without a password and mails its owner a code to log in with',
    access: 'administrator',
    body: newPersonSchema,
    output: consolePersonDetailSchema,
    errors: ['account_exists', 'campus_address_required', 'mail_off'],
    limit: 'console',
  }),
  getPerson: declareCall({
    method: 'GET',
    path: '/rest/v1/moderation/people/{id}',
    summary: 'A person with the sessions of the account',
    access: 'administrator',
    params: idParamsSchema,
    output: consolePersonDetailSchema,
    notFound: 'account_not_found',
    errors: [],
    limit: 'console',
  }),
  actOnPerson: declareCall({
    method: 'POST',
    path: '/rest/v1/moderation/people/{id}/actions',
    summary:
      'Takes an action on an account: confirm, verify, remove_badge, end_sessions, suspend, lift, set_role, send_reset_link or remove_second_factor',
    access: 'administrator',
    params: idParamsSchema,
    body: personActionSchema,
    output: consolePersonDetailSchema,
    notFound: 'account_not_found',
    errors: [
      'own_account',
      'last_administrator',
      'second_factor_not_found',
      'campus_address_required',
      'mail_off',
    ],
    limit: 'console',
  }),
  deletePerson: declareCall({
    method: 'DELETE',
    path: '/rest/v1/moderation/people/{id}',
    summary: 'Deletes an account for good, as its owner could; the owner is told by email',
    access: 'administrator',
    params: idParamsSchema,
    body: personDeletionSchema,
    output: successSchema,
    notFound: 'account_not_found',
    errors: ['own_account', 'rental_unfinished', 'last_administrator'],
    limit: 'console',
  }),

  // Forms
  listForms: declareCall({
    method: 'GET',
    path: '/rest/v1/moderation/forms',
    summary:
      'Contact forms, applications, deletion requests and reports by email, the newest first, a page at a time',
    access: 'administrator',
    query: formQuerySchema,
    output: formPageSchema,
    errors: [],
    limit: 'console',
  }),
  getForm: declareCall({
    method: 'GET',
    path: '/rest/v1/moderation/forms/{id}',
    summary: 'Everything that was sent with a form, and the answers',
    access: 'administrator',
    params: idParamsSchema,
    output: consoleFormDetailSchema,
    notFound: 'not_found',
    errors: [],
    limit: 'console',
  }),
  changeForm: declareCall({
    method: 'PATCH',
    path: '/rest/v1/moderation/forms/{id}',
    summary: 'Marks a form as done, or as open again',
    access: 'administrator',
    params: idParamsSchema,
    body: formChangeSchema,
    output: consoleFormDetailSchema,
    notFound: 'not_found',
    errors: [],
    limit: 'console',
  }),
  answerForm: declareCall({
    method: 'POST',
    path: '/rest/v1/moderation/forms/{id}/answers',
    summary:
      "Stores an answer to a form and mails it to the form's sender; the same id is stored and sent once",
    access: 'administrator',
    params: idParamsSchema,
    body: formAnswerSchema,
    output: consoleFormDetailSchema,
    notFound: 'not_found',
    errors: ['form_without_address', 'too_many_answers', 'mail_off'],
    limit: 'console',
  }),

} as const;
