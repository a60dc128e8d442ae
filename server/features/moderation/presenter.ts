import type { ModerationAction, ModerationDecision } from '#contract/moderation.ts';
import { isAdministrator, isOwnAction } from './action-policy.ts';
import type { ActionRow, Moderator } from './action-repository.ts';
import type { DecisionRow } from './decision-repository.ts';

const toInstant = (date: Date | null): string | null => date?.toISOString() ?? null;

/** The name shown for a moderator whose account was deleted. */
const formerModerator = 'A former moderator';

const presentAppeal = (
  row: Pick<ActionRow, 'appeal_text' | 'appealed_at' | 'decided_at' | 'is_granted'>,
): ModerationAction['appeal'] =>
  row.appeal_text === null || row.appealed_at === null
    ? null
    : {
        text: row.appeal_text,
        created_at: row.appealed_at.toISOString(),
        decided_at: toInstant(row.decided_at),
        is_granted: row.is_granted,
      };

export const presentAction = (row: ActionRow, viewer: Moderator): ModerationAction => ({
  id: row.id,
  action: row.action,
  reason: row.reason,
  days: row.days,
  actor: row.actor_name ?? formerModerator,
  is_own: isOwnAction(row, viewer),
  can_undo:
    row.applied_at === null &&
    row.undone_at === null &&
    (isOwnAction(row, viewer) || isAdministrator(viewer)),
  chosen_at: row.chosen_at.toISOString(),
  takes_effect_at: row.takes_effect_at.toISOString(),
  applied_at: toInstant(row.applied_at),
  undone_at: toInstant(row.undone_at),
  restored_at: toInstant(row.restored_at),
  failure: row.failure,
  appeal: presentAppeal(row),
});

/** Returns a decision as the person concerned sees it, without the moderator's name. */
export const presentDecision = (row: DecisionRow): ModerationDecision => ({
  id: row.id,
  action: row.action,
  reason: row.reason,
  days: row.days,
  subject: row.subject,
  title: ['listing', 'wanted'].includes(row.subject) ? row.title : null,
  applied_at: row.applied_at.toISOString(),
  restored_at: toInstant(row.restored_at),
  can_appeal: row.action !== 'restore' && row.restored_at === null && row.appealed_at === null,
  appeal: presentAppeal(row),
});
