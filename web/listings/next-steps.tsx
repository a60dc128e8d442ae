import { Plus, Share2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { links } from '#web/lib/links.ts';
import { usePublicUrl } from '#web/lib/use-campus.ts';
import { Button } from '#web/ui/button.tsx';
import { TellPeople } from '#web/wanted/public.ts';
import { type JustPublishedListing, setJustPublishedListing } from './just-published.ts';
import { shareLink } from './share-button.tsx';

export interface NextStepsProps {
  published: JustPublishedListing;
  /** Another button, after Post another and Share. */
  children?: ReactNode;
}

/** What a seller can do once a listing is published: post another one, or share it. */
export function NextSteps({ published, children }: NextStepsProps) {
  const navigate = useNavigate();
  const publicUrl = usePublicUrl();
  return (
    <div className="flex flex-col gap-2.5">
      <TellPeople listingId={published.id} />
      <Button
        wide
        icon={<Plus aria-hidden="true" className="size-5" />}
        onClick={() => {
          setJustPublishedListing();
          // Replaces the history entry, so that Back leads neither to this listing's form nor to this sheet.
          void navigate(links.postAd, { replace: true, state: published.next });
        }}
      >
        Post another
      </Button>
      <Button
        wide
        variant="secondary"
        icon={<Share2 aria-hidden="true" className="size-5" />}
        onClick={() =>
          void shareLink({ title: published.title, url: `${publicUrl}${links.listing(published.slug)}` })
        }
      >
        Share
      </Button>
      {children}
    </div>
  );
}
