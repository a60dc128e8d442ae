import { ArrowLeft } from 'lucide-react';
import { Link, useLocation, useNavigate } from 'react-router';
import { opensElsewhere } from '#web/lib/opens-elsewhere.ts';
import { IconButton } from './icon-button.tsx';

/** The state of a link from a screen to one below it, which has a `ParentLink`. */
export const fromParent = { isFromParent: true } as const;

/**
 * A link to the screen one level above. Goes back to it if the person came from there, and replaces the current screen
 * otherwise, so that Back never returns to a screen that was closed.
 */
export function ParentLink({ to, label }: { to: string; label: string }) {
  const navigate = useNavigate();
  const { state } = useLocation();
  const isFromParent = (state as Partial<typeof fromParent> | null)?.isFromParent;
  return (
    <IconButton label={label} asChild>
      <Link
        to={to}
        replace
        onClick={(event) => {
          if (!isFromParent || opensElsewhere(event)) return;
          event.preventDefault();
          void navigate(-1);
        }}
      >
        <ArrowLeft aria-hidden="true" />
      </Link>
    </IconButton>
  );
}
