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
  same_seat: 'Same seat twice',
};

export const caseSubjectLabels: Record<ReportSubjectType, string> = {
  listing: 'Listing',
  user: 'Person',
  message: 'Message',
  wanted: 'Wanted',
};

export const caseRiskLabels: Record<CaseSummary['risk'], { label: string; tone: BadgeProps['tone'] }> = {
  1: { label: 'Low risk', tone: 'neutral' },
  2: { label: 'Medium risk', tone: 'gold' },
  3: { label: 'High risk', tone: 'solid' },
};

export const caseStateLabels: Record<CaseSummary['state'], string> = {
  open: 'Open',
  assigned: 'Assigned',
  resolved: 'Resolved',
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
