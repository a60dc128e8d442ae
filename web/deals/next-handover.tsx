import { ChevronRight } from 'lucide-react';
import { Link } from 'react-router';
import { links } from '#web/lib/links.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { HandoverLink } from './handover-link.tsx';
import { formatHandoverTime } from './handover-times.ts';
import { useHandovers } from './use-handovers.ts';

export interface NextHandoverProps {
  ownId: string;
  className?: string | undefined;
}

/** The person's next handover and, if there are more, a link to all of them. Nothing without a handover ahead. */
export function NextHandover({ ownId, className }: NextHandoverProps) {
  const campus = useCampus();
  const { handovers = [], now } = useHandovers(ownId);
  const [next] = handovers;
  if (!next) return null;
  return (
    // The banner of Home finds the card by the attribute `data-next-handover`, because it covers a button.
    <section aria-label="Next handover" data-next-handover className={className}>
      <div className="flex h-full items-stretch">
        <HandoverLink handover={next} time={formatHandoverTime(next.time, campus, now)} isShort />
        {handovers.length > 1 && (
          <Link
            to={links.handovers}
            className="flex min-w-11 shrink-0 items-center gap-0.5 border-line border-l pr-2 pl-3 font-semibold text-brand-text text-sm -outline-offset-3 hover:bg-hover"
          >
            <span>All</span> <span className="figures">{handovers.length}</span>
            <ChevronRight aria-hidden="true" className="size-4" />
          </Link>
        )}
      </div>
    </section>
  );
}
