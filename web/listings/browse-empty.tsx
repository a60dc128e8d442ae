import { Link } from 'react-router';
import { links } from '#web/lib/links.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { NoListingsIllustration } from '#web/ui/illustrations/empty-states.tsx';

export interface BrowseEmptyProps {
  title: string;
  text?: string | undefined;
  as?: 'h2' | 'h3' | undefined;
}

export function BrowseEmptyState({ title, text, as = 'h2' }: BrowseEmptyProps) {
  return (
    <EmptyState
      illustration={<NoListingsIllustration />}
      as={as}
      title={title}
      text={text}
      action={
        <Button asChild>
          <Link to={links.postAd}>Post an Item</Link>
        </Button>
      }
    />
  );
}
