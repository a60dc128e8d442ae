import { type ReportReason, type ReportSubjectType, reportReasons } from '#contract/reports.ts';

const labels: Record<ReportReason, string> = {
  prohibited: 'Something that is not allowed',
  scam: 'Scam or fraud',
  spam: 'Spam',
  harassment: 'Harassment or hate',
  impersonation: 'Pretends to be somebody else',
  other: 'Something else',
};

/** Returns the reasons to choose from for a report, with labels that fit what is reported. */
export const listReportReasonOptions = (
  subject: ReportSubjectType,
): { value: ReportReason; label: string }[] =>
  reportReasons.map((value) => ({
    value,
    label: subject === 'listing' && value === 'prohibited' ? 'Prohibited item' : labels[value],
  }));
