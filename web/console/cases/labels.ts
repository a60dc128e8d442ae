import type { CaseAction, CaseSummary, ModerationSignalKind } from '#contract/moderation.ts';
import type { ReportReason, ReportSubjectType } from '#contract/reports.ts';
import type { BadgeProps } from '#web/ui/badge.tsx';

export const reportReasonLabels: Record<ReportReason, string> = {
  prohibited: 'Prohibited item',
  scam: 'Scam',
  spam: 'Spam',
  harassment: 'Harassment',
  impersonation: 'Impersonation',
  other: 'Something else',
};

export const signalLabels: Record<ModerationSignalKind, string> = {
  similar_messages: 'Similar messages',
  many_reports: 'Many reports',
  no_shows: 'No-shows',
  prohibited_wording: 'Prohibited wording',
};

export const caseSubjectLabels: Record<ReportSubjectType, string> = {
  listing: 'Listing',
  user: 'Person',
  message: 'Message',
};

export const caseRiskLabels: Record<CaseSummary['risk'], { label: string; tone: BadgeProps['tone'] }> = {
  1: { label: 'Low risk', tone: 'neutral' },
  2: { label: 'Medium risk', tone: 'gold' },
  3: { label: 'High risk', tone: 'brand' },
};

export const caseStateLabels: Record<CaseSummary['state'], string> = {
  open: 'Open',
  assigned: 'Assigned',
  resolved: 'Resolved',
};

interface ActionTexts {
  /** The label of the button that opens the action's dialog. */
  label: string;
  /** What the action does, and who is notified. */
  description: string;
  danger?: boolean;
  /** Prewritten reasons to choose from, by their titles. */
  templates: Record<string, string>;
}

/**
 * The texts of each moderation action. In a case with an appeal, `dismiss` rejects the appeal and `restore`
 * grants it.
 */
export const moderationActionTexts: Record<CaseAction, ActionTexts> = {
  dismiss: {
    label: 'Dismiss',
    description: 'Changes nothing. The reporters learn that we found no violation.',
    templates: {
      'No violation': 'This follows our guidelines.',
      'Not enough evidence': 'We could not confirm what was reported.',
    },
  },
  warn: {
    label: 'Warn',
    description: 'The person is told the reason. Nothing else changes.',
    templates: {
      Politeness: 'Please stay polite. Insults and threats are not allowed.',
      'Unwanted messages': 'Please do not send the same message to many people.',
      'Missed meetings': 'Please keep the meetings you agree to, or cancel them in time.',
    },
  },
  unpublish: {
    label: 'Take down',
    description: 'Hides the listing. The owner sees the reason and cannot publish it again.',
    danger: true,
    templates: {
      'Prohibited item': 'This item is not allowed. Please read our guidelines.',
      Counterfeit: 'This item appears to be counterfeit.',
      Scam: 'This listing appears to be a scam.',
    },
  },
  request_changes: {
    label: 'Request changes',
    description:
      'Makes the listing a draft. The owner sees the reason and can publish it again after changing it.',
    templates: {
      Photos: 'Please show photos of the item itself.',
      Description: 'Please describe the item and its condition correctly.',
      Price: 'Please state the real price.',
    },
  },
  suspend: {
    label: 'Suspend',
    description:
      'Ends all sessions, hides the listings and ends open offers. The person gets an email with the reason.',
    danger: true,
    templates: {
      Scam: 'You tried to defraud other people.',
      Harassment: 'You harassed other people.',
      Repeated: 'You ignored earlier warnings.',
    },
  },
  restore: {
    label: 'Reverse the decision',
    description: 'Takes back what was decided before. The person and the reporters are told.',
    templates: { Mistake: 'We looked at this again and made a mistake. Sorry!' },
  },
};

export const appealActionLabels: Partial<Record<CaseAction, string>> = {
  dismiss: 'Reject the appeal',
  restore: 'Grant the appeal',
};

/** Labels in the past tense that say what an action did. */
export const actionResultLabels: Record<CaseAction, string> = {
  dismiss: 'Dismissed',
  warn: 'Warned',
  unpublish: 'Taken down',
  request_changes: 'Changes requested',
  suspend: 'Suspended',
  restore: 'Decision reversed',
};
