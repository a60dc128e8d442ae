import { declareCall, idParamsSchema } from './calls/declare-call.ts';
import {
  casePageSchema,
  caseQuerySchema,
  chosenActionSchema,
  moderationActionSchema,
  moderationCaseSchema,
} from './moderation.ts';

/** The calls of the console about moderation cases. */
export const moderationCaseCalls = {
  listCases: declareCall({
    method: 'GET',
    path: '/rest/v1/moderation/cases',
    summary:
      'Cases by risk and age: the riskiest first, of equal ones the oldest; resolved ones by the time of the decision. Fifty at a time, without cases about the caller.',
    access: 'moderator',
    query: caseQuerySchema,
    output: casePageSchema,
    errors: [],
    limit: 'console',
  }),
  getCase: declareCall({
    method: 'GET',
    path: '/rest/v1/moderation/cases/{id}',
    summary:
      'A case with what was reported as it was then, the history of the person, and the actions so far.',
    access: 'moderator',
    params: idParamsSchema,
    output: moderationCaseSchema,
    notFound: 'case_not_found',
    errors: ['own_case'],
    limit: 'console',
  }),
  assignCase: declareCall({
    method: 'POST',
    path: '/rest/v1/moderation/cases/{id}/assign',
    summary: 'Reserves a case for the caller for fifteen minutes; again, for another fifteen.',
    access: 'moderator',
    params: idParamsSchema,
    output: moderationCaseSchema,
    notFound: 'case_not_found',
    errors: [
      'case_assigned',
      'case_resolved',
      'own_case',
      'other_moderator_required',
      'administrator_required',
    ],
    limit: 'console',
  }),
  chooseAction: declareCall({
    method: 'POST',
    path: '/rest/v1/moderation/cases/{id}/actions',
    summary:
      'Chooses an action, which takes effect ten seconds later unless it is undone. Reserves the case for the caller.',
    access: 'moderator',
    params: idParamsSchema,
    body: chosenActionSchema,
    output: moderationActionSchema,
    notFound: 'case_not_found',
    errors: [
      'case_assigned',
      'case_resolved',
      'own_case',
      'administrator_required',
      'action_pending',
      'action_not_possible',
      'other_moderator_required',
      'last_administrator',
      'listing_changed',
      'appeal_unread',
      'report_unread',
    ],
    limit: 'console',
  }),
  undoAction: declareCall({
    method: 'POST',
    path: '/rest/v1/moderation/actions/{id}/undo',
    summary:
      "Withdraws one of the caller's actions, or for administrators any action, before it takes effect; it then has no effect at all.",
    access: 'moderator',
    params: idParamsSchema,
    output: moderationActionSchema,
    notFound: 'action_not_found',
    errors: ['action_took_effect', 'own_case'],
    limit: 'console',
  }),
} as const;
