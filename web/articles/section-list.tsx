import type { TextSection } from '#web/content/section.ts';

const toHeadingId = (title: string): string => title.toLowerCase().replace(/[^a-z0-9]+/g, '-');

/** Renders the sections of a text page. Each heading has an id that links can point to. */
export function SectionList({ sections }: { sections: readonly TextSection[] }) {
  return (
    <div className="space-y-9 md:space-y-11">
      {sections.map(({ title, paragraphs = [], points = [] }) => (
        <section key={title} aria-labelledby={toHeadingId(title)}>
          <h2 id={toHeadingId(title)} className="scroll-mt-24 font-extrabold text-xl">
            {title}
          </h2>
          {paragraphs.map((paragraph) => (
            <p key={paragraph} className="mt-2.5 text-ink-muted leading-relaxed">
              {paragraph}
            </p>
          ))}
          {points.length > 0 && (
            <ul className="mt-2.5 list-disc space-y-1.5 pl-5 text-ink-muted leading-relaxed marker:text-gold">
              {points.map((point) => (
                <li key={point}>{point}</li>
              ))}
            </ul>
          )}
        </section>
      ))}
    </div>
  );
}
