import { z } from 'zod';
import { auditReasonSchema } from './audit.ts';
import { categories } from './categories.ts';
import { listingStatuses, publicContentSchema } from './listings.ts';
import { reportReasons, reportSubjectTypes } from './reports.ts';
import { createParagraphSchema, idSchema, instantSchema } from './text.ts';

/** The reasons for which the server itself notifies the moderators of a person or a listing. */
export const moderationSignalKinds = [
  'similar_messages',
  'many_reports',
  'no_shows',
  'prohibited_wording',
  'same_seat',
] as const;
export type ModerationSignalKind = (typeof moderationSignalKinds)[number];

/** Identifies the quoted photos, so that the same texts with other photos are another quote. */
const photosDigestSchema = z.string().optional();

/** A copy of a listing, made when it was reported. Copies that earlier versions made lack some of the fields. */
const quotedListingSchema = publicContentSchema
  .omit({ photos: true })
  .partial()
  .extend({
    subject: z.literal('listing'),
    photos_digest: photosDigestSchema,
  });

/** A copy of a person's profile, made when the person was reported. */
const quotedUserSchema = z.object({
  subject: z.literal('user'),
  name: z.string(),
  bio: z.string().nullable(),
  photos_digest: photosDigestSchema,
});

/** A copy of a message and the messages around it, made when the message was reported. */
const quotedMessageSchema = z.object({
  subject: z.literal('message'),
  listing_title: z.string(),
  messages: z.array(
    z.object({
      /**
       * The sender of the message: `reported` is the person that the case is about, and `other` is the other party
       * of the conversation. `system` means that the server added the message as an event line.
       */
      from: z.enum(['reported', 'other', 'system']),
      text: z.string(),
      sent_at: instantSchema,
      is_reported: z.boolean(),
    }),
  ),
});

/** A copy of a wanted post, made when it was reported. */
const quotedWantedSchema = z.object({
  subject: z.literal('wanted'),
  title: z.string(),
  category: z.enum(categories),
  max_price: z.number().nullable(),
});

/** The stored copy of a reported listing, profile, message or wanted post. */
export const reportedContentSchema = z.discriminatedUnion('subject', [
  quotedListingSchema,
  quotedUserSchema,
  quotedMessageSchema,
  quotedWantedSchema,
]);
export type ReportedContent = z.output<typeof reportedContentSchema>;

/** The actions with which a moderator can decide a case. */
export const caseActions = ['dismiss', 'warn', 'unpublish', 'request_changes', 'suspend', 'restore'] as const;
export type CaseAction = (typeof caseActions)[number];

/** An action takes effect after this many seconds; until then the moderator can undo it. */
export const moderationActionDelaySeconds = 10;
/** For this many seconds a case is reserved for the moderator who works on it. */
export const caseLeaseSeconds = 15 * 60;
/** Maximum length in days of a suspension that ends by itself. */
export const maxSuspensionDays = 365;
export const appealTextLength = { min: 1, max: 1000 } as const;

/** Number of cases that the console lists per page. */
export const casePageSize = 50;
/**
 * Maximum number of reports that the console shows for one case, newest first. The case also contains the
 * total number.
 */
export const maxReportsShownPerCase = 100;
/** Maximum numbers of distinct quotes, reported ones first, and of actions that the console shows for one case. */
export const maxQuotesShownPerCase = 20;
export const maxActionsShownPerCase = 50;
/** Maximum number of moderators' decisions about a person that the site shows to this person. */
export const maxDecisionsShownToPerson = 50;

export const caseStates = ['open', 'assigned', 'resolved'] as const;

/** The risk of a case: 1 is low, 2 is medium and 3 is high. */
const riskSchema = z.union([z.literal(1), z.literal(2), z.literal(3)]);
export type CaseRisk = z.output<typeof riskSchema>;

/**
 * Query of GET /rest/v1/moderation/cases. Without `state`, it returns all cases that are not resolved.
 * `min_hours` is the minimum age of a case in hours.
 */
export const caseQuerySchema = z.object({
  state: z.enum(caseStates).optional(),
  risk: z.coerce.number().pipe(riskSchema).optional(),
  min_hours: z.coerce.number().int().min(1).max(10_000).optional(),
  /** `true` returns only cases that an appeal has reopened. */
  appeals: z.literal('true').optional(),
  cursor: z.string().max(200).optional(),
});
export type CaseQuery = z.output<typeof caseQuerySchema>;

const personSchema = z.object({ id: idSchema, name: z.string() });

/** A moderation case as the console shows it in a list. */
export const caseSummarySchema = z.object({
  id: idSchema,
  subject: z.enum(reportSubjectTypes),
  title: z.string(),
  /** The person that the case is about, or null after their account was deleted. */
  person: personSchema.nullable(),
  state: z.enum(caseStates),
  risk: riskSchema,
  /**
   * How many reports have arrived. A report that replaces an earlier one by the same person counts again, so that a
   * moderator who has not seen it is told.
   */
  report_count: z.int(),
  reasons: z.array(z.enum(reportReasons)),
  signals: z.array(z.enum(moderationSignalKinds)),
  /** Whether the case contains an appeal that has not been decided. */
  has_appeal: z.boolean(),
  assigned_to: personSchema.nullable(),
  assigned_until: instantSchema.nullable(),
  opened_at: instantSchema,
  resolved_at: instantSchema.nullable(),
});
export type CaseSummary = z.output<typeof caseSummarySchema>;

export const casePageSchema = z.object({
  items: z.array(caseSummarySchema),
  next_cursor: z.string().nullable(),
});
export type CasePage = z.output<typeof casePageSchema>;

const appealSchema = z.object({
  text: z.string(),
  created_at: instantSchema,
  decided_at: instantSchema.nullable(),
  is_granted: z.boolean().nullable(),
});

/** An action on a case, taken by a moderator in the console or by an administrator with a command. */
export const moderationActionSchema = z.object({
  id: idSchema,
  action: z.enum(caseActions),
  reason: z.string(),
  days: z.int().nullable(),
  /** The name of the moderator, or of the system user who ran the command. */
  actor: z.string(),
  is_own: z.boolean(),
  /** Whether the caller can withdraw the action: it has not taken effect, and the caller chose it or is an administrator. */
  can_undo: z.boolean(),
  chosen_at: instantSchema,
  takes_effect_at: instantSchema,
  applied_at: instantSchema.nullable(),
  undone_at: instantSchema.nullable(),
  restored_at: instantSchema.nullable(),
  /** Why the action could not take effect and was therefore withdrawn, or null when it was not withdrawn. */
  failure: z.string().nullable(),
  appeal: appealSchema.nullable(),
});
export type ModerationAction = z.output<typeof moderationActionSchema>;

/** A moderation case with all details that the console shows. */
export const moderationCaseSchema = caseSummarySchema.extend({
  quotes: z.array(
    z.object({
      id: idSchema,
      content: reportedContentSchema,
      photo_count: z.int(),
      quoted_at: instantSchema,
    }),
  ),
  reports: z.array(
    z.object({
      quote_id: idSchema,
      /** The person who made the report, or null after their account was deleted. */
      reporter: personSchema.nullable(),
      reason: z.enum(reportReasons),
      text: z.string(),
      created_at: instantSchema,
    }),
  ),
  signal_details: z.array(
    z.object({
      kind: z.enum(moderationSignalKinds),
      detail: z.string(),
      count: z.int(),
      raised_at: instantSchema,
    }),
  ),
  /** Facts about the person that the case is about, or null after their account was deleted. */
  history: z
    .object({
      joined_at: instantSchema,
      is_verified: z.boolean(),
      suspended_at: instantSchema.nullable(),
      suspended_until: instantSchema.nullable(),
      listings: z.int(),
      completed_deals: z.int(),
      earlier_cases: z.int(),
      earlier_actions: z.int(),
    })
    .nullable(),
  /**
   * The current state of the listing that the case is about. Null when the listing was deleted, or when the
   * case is about a person or a message. While the listing is a draft, its content is left out.
   */
  listing: publicContentSchema
    .extend({
      slug: z.string(),
      status: z.enum(listingStatuses),
      is_hidden: z.boolean(),
      /** Identifies the current content. An action sends it back, so that the server knows what the moderator saw. */
      version: z.string(),
    })
    .nullable(),
  /** The actions on the case, newest first. */
  actions: z.array(moderationActionSchema),
  /**
   * Whether the caller can only dismiss the case, or cannot decide it at all, because only administrators judge people
   * with a role in the console, decide appeals against decisions of administrators, and reverse these.
   */
  needs_administrator: z.boolean(),
  /** The actions that the caller may take on this case now. */
  possible_actions: z.array(z.enum(caseActions)),
  /** Whether dismissing the case approves the listing that it holds for review, which publishes the listing. */
  dismissal_publishes: z.boolean(),
});
export type ModerationCase = z.output<typeof moderationCaseSchema>;

/** Body of POST /rest/v1/moderation/cases/{id}/actions: the action that a moderator takes on the case. */
export const chosenActionSchema = z
  .object({
    action: z.enum(caseActions),
    /**
     * The reason for the action. The affected person sees it, except that of a dismissal that rejects no appeal. It is
     * stored in the audit log.
     */
    reason: auditReasonSchema,
    /** The template from which the moderator created the text of the reason. */
    template: z.string().max(100).optional(),
    /** The length of a suspension in days. Without this field, the suspension is permanent. */
    days: z.int().min(1).max(maxSuspensionDays).optional(),
    /** The version of the listing that the moderator saw; defaults to the current version. */
    listing_version: z.string().max(100).optional(),
    /** The number of undecided appeals that the moderator saw in the case; defaults to the current number. */
    open_appeals: z.int().min(0).optional(),
    /** The numbers of reports and of raised signals that the moderator saw; default to the current numbers. */
    report_count: z.int().min(0).optional(),
    signal_count: z.int().min(0).optional(),
    /** Makes a suspension take effect immediately, without the delay during which it can be undone. */
    immediately: z.boolean().default(false),
  })
  .refine(({ action, days, immediately }) => action === 'suspend' || (days === undefined && !immediately), {
    error: 'Only a suspension has days or takes effect immediately',
    path: ['action'],
  });
export type ChosenAction = z.output<typeof chosenActionSchema>;

export const appealErrorMessages = {
  text: 'Please say why the decision is wrong',
  textLong: 'An appeal has at most 1,000 characters',
} as const;

const appealTextSchema = createParagraphSchema({
  required: appealErrorMessages.text,
  min: { length: appealTextLength.min, sentence: appealErrorMessages.text },
  max: { length: appealTextLength.max, sentence: appealErrorMessages.textLong },
});

/**
 * Body of POST /rest/v1/appeals. It names the decision by its id, or by the token from the email to a
 * suspended person, who cannot log in.
 */
export const newAppealSchema = z
  .object({ action_id: idSchema.optional(), token: z.string().max(100).optional(), text: appealTextSchema })
  .refine(({ action_id: id, token }) => (id === undefined) !== (token === undefined), {
    error: 'An appeal is about one decision',
    path: ['action_id'],
  });
export type NewAppeal = z.output<typeof newAppealSchema>;

/** A decision of a moderator about the caller. */
export const moderationDecisionSchema = z.object({
  id: idSchema,
  action: z.enum(caseActions),
  reason: z.string(),
  days: z.int().nullable(),
  subject: z.enum(reportSubjectTypes),
  /** The title of the listing, or null when the decision is not about a listing. */
  title: z.string().nullable(),
  applied_at: instantSchema,
  restored_at: instantSchema.nullable(),
  can_appeal: z.boolean(),
  appeal: appealSchema.nullable(),
});
export type ModerationDecision = z.output<typeof moderationDecisionSchema>;
