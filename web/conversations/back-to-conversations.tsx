import { ArrowLeft } from 'lucide-react';
import type { MouseEvent } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { links } from '#web/lib/links.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { isFromList } from './conversation-row.tsx';

/** On phones, where the thread takes the place of the list: back to it, without a new entry in the history. */
export function BackToConversations() {
  const fromList = isFromList(useLocation().state);
  const navigate = useNavigate();
  const goBack = (event: MouseEvent): void => {
    const elsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (!fromList || elsewhere) return;
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
