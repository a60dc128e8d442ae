import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import {
  type CheckedListing,
  findGuidelineViolations,
  type GuidelineViolation,
  guidelineSubjects,
  mentionsTickets,
} from '#contract/prohibited-items.ts';
import { links } from '#web/lib/links.ts';
import { Alert } from '#web/ui/alert.tsx';

/**
 * How long the texts must stay unchanged before they are checked, in milliseconds, because hints about
 * half-typed words would mislead.
 */
const debounceMs = 600;

interface Hints {
  violations: readonly GuidelineViolation[];
  isAboutTickets: boolean;
}

const findHints = (listing: CheckedListing): Hints => ({
  violations: findGuidelineViolations(listing),
  isAboutTickets: listing.category === 'game-day' && mentionsTickets(listing),
});

const formatHint = ({ guideline, isClear }: GuidelineViolation): string =>
  `${guidelineSubjects[guideline]} can’t be offered here. If yours is something else, ${
    isClear ? 'we may check it before others see it.' : 'go ahead.'
  }`;

const ticketHint =
  'Use the official transfer, so that both of you see that the ticket arrived. Asking more than the face value may violate the policies of the university or the organizer.';

/** Shows which guidelines the listing may violate, while the person types its texts. The hints do not prevent posting. */
export function GuidelineHints({
  title,
  description,
  location,
  contact_email,
  category,
  price,
}: CheckedListing) {
  const [{ violations, isAboutTickets }, setHints] = useState<Hints>(() =>
    findHints({ title, description, location, contact_email, category, price }),
  );
  useEffect(() => {
    const listing = { title, description, location, contact_email, category, price };
    const timer = setTimeout(() => setHints(findHints(listing)), debounceMs);
    return () => clearTimeout(timer);
  }, [title, description, location, contact_email, category, price]);

  const sentences = [...violations.map(formatHint), ...(isAboutTickets ? [ticketHint] : [])];
  if (sentences.length === 0) return null;
  return (
    <Alert tone="notice" title="From the guidelines">
      <ul className="space-y-1">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <Link
        to={links.guidelines}
        target="_blank"
        className="inline-flex min-h-11 items-center font-semibold underline underline-offset-4"
      >
        Read the guidelines
      </Link>
    </Alert>
  );
}
