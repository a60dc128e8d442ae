import { clsx } from 'clsx';
import { Ban } from 'lucide-react';
import { useState } from 'react';
import { isolateDirection } from '#contract/text-direction.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { lazyDialog } from '#web/ui/lazy-component.tsx';
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts';
import { useIsBlocked } from './blocked-ids.ts';
import type { BlockablePerson } from './set-blocked.ts';
import { UnblockButton } from './unblock-button.tsx';

const BlockDialog = lazyDialog(async () => (await import('./block-dialog.tsx')).BlockDialog);

export interface BlockControlProps {
  person: BlockablePerson;
  ownId: string;
  /** The label of the button that blocks the person. */
  label: string;
}

/**
 * The control for blocking on public pages: a button that blocks a person or, once they are blocked, a
 * notice with an Unblock button. Load this component only when somebody is signed in; the HTML of public
 * pages is the same for everyone and does not contain it.
 */
export function BlockControl({ person, ownId, label }: BlockControlProps) {
  const [isAsked, setIsAsked] = useState(false);
  const isBlocked = useIsBlocked(ownId, person.id);
  const focusFallback = useFocusFallback<HTMLDivElement>();
  return (
    <div {...focusFallback} className={clsx('outline-none', isBlocked && 'basis-full')}>
      {isBlocked ? (
        <Alert
          title={`You blocked ${isolateDirection(person.name)}`}
          action={<UnblockButton person={person} ownId={ownId} />}
        >
          Neither of you can contact the other, and you don’t see their listings in lists.
        </Alert>
      ) : (
        <>
          <Button
            variant="ghost"
            size="sm"
            icon={<Ban aria-hidden="true" className="size-4" />}
            onClick={() => setIsAsked(true)}
          >
            {label}
          </Button>
          {isAsked && <BlockDialog person={person} ownId={ownId} onClose={() => setIsAsked(false)} />}
        </>
      )}
    </div>
  );
}
