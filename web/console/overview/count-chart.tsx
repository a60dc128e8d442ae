import { Bar, BarChart, CartesianGrid, ResponsiveContainer, XAxis, YAxis } from 'recharts';

const axis = { stroke: 'var(--color-line-strong)', tick: { fill: 'var(--color-ink-muted)', fontSize: 12 } };

/** A bar chart of counts. The surrounding page must contain the same numbers as text for screen readers. */
export function CountChart({ counts }: { counts: readonly { label: string; count: number }[] }) {
  return (
    <ResponsiveContainer width="100%" height="100%">
      <BarChart
        data={[...counts]}
        margin={{ top: 4, right: 4, bottom: 0, left: -24 }}
        accessibilityLayer={false}
      >
        <CartesianGrid vertical={false} stroke="var(--color-line)" />
        <XAxis dataKey="label" {...axis} minTickGap={24} />
        <YAxis allowDecimals={false} {...axis} />
        <Bar dataKey="count" fill="var(--color-brand)" isAnimationActive={false} />
      </BarChart>
    </ResponsiveContainer>
  );
}
