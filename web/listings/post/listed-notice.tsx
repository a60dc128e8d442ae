import { useEffect, useRef } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import type { JustPublishedListing } from '../just-published.ts';
import { NextSteps } from '../next-steps.tsx';

export interface ListedNoticeProps {
  published: JustPublishedListing;
  /** Opens the page of the listing. */
  onView: () => void;
}

/** Replaces the form of a listing that was just published, until its page opens. */
export function ListedNotice({ published, onView }: ListedNoticeProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <Card padded className="flex flex-col gap-5">
      <div>
        <h2 ref={heading} tabIndex={-1} className="font-extrabold text-xl outline-none">
          Listed
        </h2>
        <p dir="auto" className="mt-1 break-words text-ink-muted text-sm">
          {published.title}
        </p>
      </div>
      <NextSteps published={published}>
        <Button wide variant="ghost" onClick={onView}>
          View listing
        </Button>
      </NextSteps>
    </Card>
  );
}
