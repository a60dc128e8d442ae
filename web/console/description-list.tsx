import type { ReactNode } from 'react';

/** A list of labeled values, such as the fields of a submitted form. */
export function DescriptionList({
  facts,
}: {
  facts: readonly (readonly [name: string, value: ReactNode])[];
}) {
  return (
    <dl className="mt-3 grid gap-x-4 gap-y-1 text-sm md:grid-cols-[9rem_1fr]">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-ink-muted max-md:mt-2">{name}</dt>
          <dd dir="auto" className="min-w-0 whitespace-pre-line break-words">
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
