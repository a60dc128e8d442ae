import { formatCount } from '#web/lib/format.ts';
import { useCampus } from '#web/lib/use-campus.ts';

const lineCount = 4;
const maxLabels = 6;

/** Returns the smallest of 1, 2, 5, 10, 20, 50 … with which `lineCount` steps reach the count. */
const chooseStep = (count: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(count / lineCount, 1)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step * lineCount >= count) ?? count;
};

/** A bar chart of counts. The surrounding page must contain the same numbers as text for screen readers. */
export function CountChart({ counts }: { counts: readonly { label: string; count: number }[] }) {
  const campus = useCampus();
  const step = chooseStep(Math.max(...counts.map(({ count }) => count), 1));
  const lines = Array.from({ length: lineCount + 1 }, (_, index) => index * step);
  const toPercent = (count: number) => (count / (step * lineCount)) * 100;
  const width = 100 / counts.length;
  const labelInterval = Math.ceil(counts.length / maxLabels);
  return (
    <div className="flex h-full gap-2 pt-2 text-ink-muted text-xs">
      <div className="figures flex flex-col-reverse justify-between pb-5">
        {lines.map((line) => (
          // Without a height, so that its middle is at the height of the line.
          <span key={line} className="flex h-0 items-center justify-end">
            {formatCount(line, campus)}
          </span>
        ))}
      </div>
      <div className="flex flex-1 flex-col">
        <svg aria-hidden="true" overflow="visible" className="w-full flex-1">
          {lines.map((line) => {
            const y = `${100 - toPercent(line)}%`;
            return <line key={line} x1="0" x2="100%" y1={y} y2={y} stroke="var(--color-line)" />;
          })}
          {counts.map(({ label, count }, index) => (
            <rect
              key={label}
              x={`${(index + 0.15) * width}%`}
              width={`${0.7 * width}%`}
              y={`${100 - toPercent(count)}%`}
              height={`${toPercent(count)}%`}
              fill="var(--color-brand)"
            />
          ))}
        </svg>
        <svg aria-hidden="true" overflow="visible" className="h-5 w-full">
          {counts.map(({ label }, index) =>
            index % labelInterval === 0 ? (
              <text
                key={label}
                x={`${(index + 0.5) * width}%`}
                y="16"
                textAnchor="middle"
                fill="currentColor"
              >
                {label}
              </text>
            ) : null,
          )}
        </svg>
      </div>
    </div>
  );
}
