import { ArrowLeft } from 'lucide-react';
import { Link, useNavigate } from 'react-router';
import { hasEarlierEntry } from '#web/lib/history-entry-state.ts';
import { IconButton } from '#web/ui/icon-button.tsx';

/** On phones, returns to the previous screen, or to `to` if the visit began on this one. */
export function BackButton({ to }: { to: string }) {
  const navigate = useNavigate();
  return (
    <IconButton label="Back" tone="solid" asChild className="mr-auto md:hidden">
      <Link
        to={to}
        onClick={(event) => {
          if (!hasEarlierEntry()) return;
          event.preventDefault();
          void navigate(-1);
        }}
      >
        <ArrowLeft aria-hidden="true" />
      </Link>
    </IconButton>
  );
}
