import { errorCatalog } from '#contract/errors.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts';
import { useIsBlocked } from './blocked-ids.ts';
import type { BlockablePerson } from './set-blocked.ts';
import { UnblockButton } from './unblock-button.tsx';

/**
 * Shown instead of a message input when two people cannot contact each other. Offers Unblock if the
 * signed-in person has blocked the other.
 */
export function MessagingUnavailableNotice({ person, ownId }: { person: BlockablePerson; ownId: string }) {
  const isBlocked = useIsBlocked(ownId, person.id);
  const focusFallback = useFocusFallback<HTMLDivElement>();
  return (
    <div
      {...focusFallback}
      className="flex flex-wrap items-center justify-center gap-x-4 gap-y-2 border-line border-t px-4 py-3 outline-none"
    >
      <p role="status" className="text-center text-ink-muted text-sm">
        {`${isBlocked ? `You blocked ${isolateDirection(person.name)}. ` : ''}${errorCatalog.contact_refused.sentence}`}
      </p>
      {isBlocked && <UnblockButton person={person} ownId={ownId} />}
    </div>
  );
}
