import type { CaseAction, ModerationCase } from '#contract/moderation.ts';
import { actionResultLabels } from './labels.ts';

interface ActionTexts {
  /** The label of the button that opens the action's dialog. */
  label: string;
  /** What the action does, and who is notified. */
  description: string;
  danger?: boolean;
  /** Prewritten reasons to choose from, by their titles. */
  templates: Record<string, string>;
}

const moderationActionTexts: Record<CaseAction, ActionTexts> = {
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
    description: 'Hides it. The owner sees the reason and cannot publish it again.',
    danger: true,
    templates: {
      'Prohibited item': 'This item is not allowed. Please read our guidelines.',
      Counterfeit: 'This item appears to be counterfeit.',
      Scam: 'This listing appears to be a scam.',
    },
  },
  request_changes: {
    label: 'Request changes',
    description: 'Makes the listing a draft. The owner sees the reason and can publish it again at any time.',
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

/**
 * The texts of `dismiss` when it approves a listing that is held for review, which is then published or shown as sold.
 */
const approvalTexts: ActionTexts = {
  label: 'Approve',
  description:
    'Approves the wording and makes the listing public. The owner is told, and any reporters learn that we found no violation.',
  templates: { 'No violation': 'This follows our guidelines.' },
};

/** The texts of `dismiss` when it rejects an appeal. */
const rejectionTexts: ActionTexts = {
  ...moderationActionTexts.dismiss,
  label: 'Reject the appeal',
  description: 'Nothing else changes.',
};

/**
 * Returns the texts of an action in a case. In a case with an appeal, `restore` grants the appeal and every other
 * action rejects it.
 */
export const getActionTexts = (
  { has_appeal: hasAppeal, dismissal_publishes: publishes }: ModerationCase,
  action: CaseAction,
): ActionTexts & { reasonHint: string; result: string } => {
  const isApproval = action === 'dismiss' && publishes;
  const isGrant = action === 'restore' && hasAppeal;
  const texts = isApproval
    ? approvalTexts
    : action === 'dismiss' && hasAppeal
      ? rejectionTexts
      : moderationActionTexts[action];
  return {
    ...texts,
    ...(isGrant && { label: 'Grant the appeal' }),
    ...(hasAppeal && !isGrant && { description: `Rejects the appeal. ${texts.description}` }),
    reasonHint:
      action === 'dismiss' && !hasAppeal
        ? 'Seen only by moderators and kept in the audit log.'
        : 'Sent to the person concerned and kept in the audit log.',
    result: isApproval ? 'Approved' : actionResultLabels[action],
  };
};
