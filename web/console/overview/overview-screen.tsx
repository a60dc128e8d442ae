import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { consoleCalls } from '#contract/console-calls.ts';
import type { ConsoleOverview, OverviewPeriod } from '#contract/console-overview.ts';
import { request } from '#web/lib/api.ts';
import { saveDownloadedFile } from '#web/lib/download.ts';
import { formatAge, formatCount, formatMonthDay } from '#web/lib/format.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { PageSpinner } from '#web/ui/page-spinner.tsx';
import { FilterRow, SelectFilter, useUrlFilter } from '../console-filters.tsx';
import type { ConsoleScreenProps } from '../console-screen.ts';
import { ConsoleTable } from '../console-table.tsx';
import { CountChart } from './count-chart.tsx';
import { type OverviewMetric, overviewMetricLabels, overviewMetrics, toOverviewCsv } from './metrics.ts';

/** Statistics of the campus per day or week, as charts and as a table of the same numbers. */
export function OverviewScreen({ ownId }: ConsoleScreenProps) {
  const { data, error, refetch } = useQuery(
    { queryKey: ['console-overview', ownId], queryFn: () => request(consoleCalls.getOverview, {}) },
    queryClient,
  );
  const [per] = useUrlFilter('per');
  return (
    <>
      <PageHeading className="mb-4!">Overview</PageHeading>
      {!data && !error && <PageSpinner />}
      {!data && error && <LoadFailed onRetry={() => void refetch()}>Failed to load the overview</LoadFailed>}
      {data && (
        <>
          <CaseSummary overview={data} />
          <Periods name={per === 'week' ? 'week' : 'day'} periods={per === 'week' ? data.weeks : data.days} />
        </>
      )}
    </>
  );
}

function CaseSummary({ overview }: { overview: ConsoleOverview }) {
  const campus = useCampus();
  return (
    <Card padded className="mb-5">
      <p className="text-ink-muted text-sm">Open cases</p>
      <p className="figures font-extrabold text-2xl">{formatCount(overview.open_cases, campus)}</p>
      {overview.oldest_case_at && (
        <p className="text-ink-muted text-sm">{`The oldest has been open for ${formatAge(overview.oldest_case_at, new Date())}.`}</p>
      )}
      {overview.median_seconds_to_action !== null && (
        <p className="text-ink-muted text-sm">{`Median time to the first action: ${formatAge(
          new Date(Date.now() - overview.median_seconds_to_action * 1000).toISOString(),
          new Date(),
        )}`}</p>
      )}
    </Card>
  );
}

function Periods({ name, periods }: { name: 'day' | 'week'; periods: readonly OverviewPeriod[] }) {
  const campus = useCampus();
  const latestFirst = periods.toReversed();
  const download = () =>
    saveDownloadedFile({
      name: `overview-by-${name}.csv`,
      content: new Blob([toOverviewCsv(periods)], { type: 'text/csv' }),
    });
  return (
    <>
      <FilterRow>
        <SelectFilter
          name="per"
          label="Numbers per"
          options={[
            { value: '', label: 'Day' },
            { value: 'week', label: 'Week' },
          ]}
        />
        <Button
          variant="secondary"
          size="sm"
          icon={<Download aria-hidden="true" className="size-4" />}
          onClick={download}
        >
          Download CSV
        </Button>
      </FilterRow>
      <div className="mb-5 grid gap-4 md:grid-cols-2">
        {overviewMetrics.map((measure) => (
          <ChartCard key={measure} measure={measure} periods={periods} />
        ))}
      </div>
      <ConsoleTable
        label={`Numbers per ${name}`}
        rows={latestFirst}
        getKey={({ from }) => from}
        columns={[
          {
            title: name === 'day' ? 'Day' : 'Week of',
            cell: ({ from }) => <span className="whitespace-nowrap">{formatMonthDay(from, campus)}</span>,
          },
          ...overviewMetrics.map((measure) => ({
            title: overviewMetricLabels[measure],
            numeric: true,
            cell: (period: OverviewPeriod) => formatCount(period[measure], campus),
          })),
        ]}
      />
    </>
  );
}

function ChartCard({ measure, periods }: { measure: OverviewMetric; periods: readonly OverviewPeriod[] }) {
  const campus = useCampus();
  const total = periods.reduce((sum, period) => sum + period[measure], 0);
  return (
    <Card padded>
      <h2 className="font-bold">{overviewMetricLabels[measure]}</h2>
      <p className="figures mb-2 text-ink-muted text-sm">{`${formatCount(total, campus)} in total`}</p>
      {/* The chart is hidden from screen readers, because the table below contains the same numbers. */}
      <div aria-hidden="true" className="h-44">
        <CountChart
          counts={periods.map((period) => ({
            label: formatMonthDay(period.from, campus),
            count: period[measure],
          }))}
        />
      </div>
    </Card>
  );
}
