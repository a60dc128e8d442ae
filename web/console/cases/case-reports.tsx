import type { ModerationCase } from '#contract/moderation.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { formatCampusDateTime } from '#web/lib/format.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Badge } from '#web/ui/badge.tsx';
import { reportReasonLabels, signalLabels } from './labels.ts';
import { ListingContent } from './listing-content.tsx';
import { CasePhotos, QuotedPhotos } from './quoted-photos.tsx';

type Quote = ModerationCase['quotes'][number];
type Report = ModerationCase['reports'][number];

/**
 * Shows the reported content as it was when it was reported, with the reports and automatic signals about
 * it.
 */
export function CaseReports({ item }: { item: ModerationCase }) {
  const quoteIds = new Set(item.quotes.map(({ id }) => id));
  // The server leaves out the oldest quotes of a case with many of them.
  const otherReports = item.reports.filter(({ quote_id: id }) => !quoteIds.has(id));
  return (
    <section>
      <h2 className="mb-2 font-extrabold text-lg">What was reported</h2>
      <div className="grid gap-4">
        {item.signal_details.map(({ kind, detail }) => (
          <p key={kind} className="break-words">
            <Badge tone="gold">{signalLabels[kind]}</Badge>
            <span>{` ${detail}`}</span>
          </p>
        ))}
        {item.quotes.map((quote) => (
          <QuoteCard
            key={quote.id}
            quote={quote}
            reports={item.reports.filter(({ quote_id: id }) => id === quote.id)}
          />
        ))}
        {otherReports.length > 0 && (
          <section>
            <h3 className="mb-2 font-semibold">Other reports</h3>
            <ReportList reports={otherReports} />
          </section>
        )}
        {item.listing?.status === 'in_review' && <HeldListing listing={item.listing} />}
      </div>
    </section>
  );
}

/**
 * Shows the current state of a listing that is waiting for review, because the reported states shown above
 * it may be outdated.
 */
function HeldListing({ listing }: { listing: NonNullable<ModerationCase['listing']> }) {
  return (
    <article className="grid gap-3 rounded-lg border border-line bg-surface p-4 shadow-sm">
      <h3 className="font-semibold">Waits for review, as it is now</h3>
      <ListingContent {...listing} />
      {listing.photos.length > 0 && (
        <CasePhotos
          addresses={listing.photos}
          toAlt={(place) => `Number ${place} of ${listing.photos.length}, as it is now`}
        />
      )}
    </article>
  );
}

function QuoteCard({ quote, reports }: { quote: Quote; reports: readonly Report[] }) {
  const campus = useCampus();
  return (
    <article className="grid gap-3 rounded-lg border border-line bg-surface p-4 shadow-sm">
      <p className="text-ink-muted text-sm">{`As it was on ${formatCampusDateTime(quote.quoted_at, campus)}`}</p>
      <QuotedContent content={quote.content} />
      {quote.photo_count > 0 && <QuotedPhotos quoteId={quote.id} count={quote.photo_count} />}
      {reports.length > 0 && (
        <div className="border-line border-t pt-3">
          <ReportList reports={reports} />
        </div>
      )}
    </article>
  );
}

function ReportList({ reports }: { reports: readonly Report[] }) {
  const campus = useCampus();
  return (
    <ul className="grid gap-2">
      {reports.map((report) => (
        <li key={`${report.reporter?.id}${report.created_at}`} className="break-words">
          <Badge>{reportReasonLabels[report.reason]}</Badge>
          <bdi className="font-semibold">{` ${report.reporter?.name ?? 'Deleted user'} `}</bdi>
          <span className="text-ink-muted text-sm">{formatCampusDateTime(report.created_at, campus)}</span>
          {report.text && (
            <span dir="auto" className="block whitespace-pre-wrap">
              {report.text}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

const messageAuthors = { reported: 'Reported person', other: 'Other person', system: 'Quad' };

function QuotedContent({ content }: { content: Quote['content'] }) {
  const campus = useCampus();
  if (content.subject === 'user') {
    return (
      <div className="break-words">
        <p dir="auto" className="font-semibold">
          {content.name}
        </p>
        <p dir="auto" className="whitespace-pre-wrap">
          {content.bio ?? 'No bio'}
        </p>
      </div>
    );
  }
  if (content.subject === 'wanted')
    return <ListingContent title={content.title} category={content.category} />;
  if (content.subject === 'listing') return <ListingContent {...content} />;
  return (
    <div className="grid gap-2">
      <p className="text-ink-muted text-sm">{`About “${isolateDirection(content.listing_title)}”`}</p>
      <ol className="grid gap-2">
        {content.messages.map((message, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: a quote never changes
            key={index}
            className={message.is_reported ? 'rounded-md bg-brand-soft px-3 py-2' : 'px-3'}
          >
            <span className="block text-ink-muted text-sm">
              {`${messageAuthors[message.from]} · ${formatCampusDateTime(message.sent_at, campus)}${message.is_reported ? ' · reported' : ''}`}
            </span>
            <span dir="auto" className="block whitespace-pre-wrap break-words">
              {message.text}
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}
