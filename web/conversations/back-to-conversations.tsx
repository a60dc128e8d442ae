import { ArrowLeft } from 'lucide-react';
import type { MouseEvent } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { links } from '#web/lib/links.ts';
import { opensElsewhere } from '#web/lib/opens-elsewhere.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { wasOpenedFromList } from './link-state.ts';

/**
 * The link from a conversation back to the list. It is shown on phones only, where the list is not
 * visible next to the conversation. Following it adds no history entry.
 */
export function BackToConversationsLink() {
  const fromList = wasOpenedFromList(useLocation().state);
  const navigate = useNavigate();
  const goBack = (event: MouseEvent): void => {
    if (!fromList || opensElsewhere(event)) return;
    event.preventDefault();
    void navigate(-1);
  };
  return (
    <IconButton label="Back to conversations" asChild className="md:hidden">
      <Link to={links.messages} replace onClick={goBack}>
        <ArrowLeft aria-hidden="true" />
      </Link>
    </IconButton>
  );
}
