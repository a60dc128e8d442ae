import type { ModerationAction } from '#contract/moderation.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { formatCampusDateTime } from '#web/lib/format.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Button } from '#web/ui/button.tsx';
import { actionResultLabels } from './labels.ts';

const getState = ({
  applied_at: appliedAt,
  undone_at: undoneAt,
  restored_at: restoredAt,
  failure,
}: ModerationAction) => {
  if (failure) return `Did not take effect: ${failure}`;
  if (undoneAt) return 'Undone';
  if (restoredAt) return 'Reversed';
  return appliedAt ? '' : 'Takes effect in a few seconds';
};

const getAppealState = ({ is_granted: isGranted }: NonNullable<ModerationAction['appeal']>) => {
  if (isGranted === null) return 'Appeal';
  return isGranted ? 'Appeal, granted' : 'Appeal, rejected';
};

interface CaseActionHistoryProps {
  actions: readonly ModerationAction[];
  onUndo: (id: string) => void;
}

/** The actions taken in a case, newest first, with the appeals against them. */
export function CaseActionHistory({ actions, onUndo }: CaseActionHistoryProps) {
  const campus = useCampus();
  if (actions.length === 0) return null;
  return (
    <section>
      <h2 className="mb-2 font-extrabold text-lg">Decisions</h2>
      <ul className="grid gap-2">
        {actions.map((action) => (
          <li key={action.id} className="rounded-lg border border-line bg-surface px-4 py-3 shadow-sm">
            <p className="font-semibold">
              {`${actionResultLabels[action.action]}${action.days === null ? '' : ` for ${action.days} ${action.days === 1 ? 'day' : 'days'}`}`}
            </p>
            <p dir="auto" className="break-words">
              {action.reason}
            </p>
            <p className="text-ink-muted text-sm">
              {[
                isolateDirection(action.actor ?? ''),
                formatCampusDateTime(action.chosen_at, campus),
                getState(action),
              ]
                .filter(Boolean)
                .join(' · ')}
            </p>
            {action.can_undo && (
              <Button variant="secondary" size="sm" className="mt-2" onClick={() => onUndo(action.id)}>
                Undo
              </Button>
            )}
            {action.appeal && (
              <blockquote className="mt-2 whitespace-pre-wrap break-words border-line-strong border-l-4 pl-3">
                <span className="block font-semibold text-sm">{getAppealState(action.appeal)}</span>
                <span dir="auto" className="block">
                  {action.appeal.text}
                </span>
              </blockquote>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
