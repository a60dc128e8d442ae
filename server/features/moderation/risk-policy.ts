import type { CaseRisk, ModerationSignalKind } from '#contract/moderation.ts';
import type { ReportReason } from '#contract/reports.ts';

const riskByReason: Record<ReportReason, CaseRisk> = {
  prohibited: 2,
  scam: 2,
  spam: 1,
  harassment: 2,
  impersonation: 2,
  other: 1,
};

const riskBySignal: Record<ModerationSignalKind, CaseRisk> = {
  similar_messages: 3,
  many_reports: 3,
  no_shows: 1,
  prohibited_wording: 2,
  same_seat: 2,
};

/** From this number of reporters on, the risk of a report is one level higher. */
const manyReporters = 3;

/** Returns the risk of a report, given how many people have reported the subject. */
export const getReportRisk = (reason: ReportReason, reporters: number): CaseRisk =>
  reporters >= manyReporters ? (Math.min(3, riskByReason[reason] + 1) as CaseRisk) : riskByReason[reason];

/**
 * Returns the risk of an automatic signal. A signal that held a listing for review is urgent, because the owner is
 * waiting.
 */
export const getSignalRisk = (kind: ModerationSignalKind, isHeld: boolean): CaseRisk =>
  isHeld ? 3 : riskBySignal[kind];
