import { Handshake, Leaf, ShieldCheck, Sparkles } from 'lucide-react';
import type { MetaFunction } from 'react-router';
import { IconCard } from '#web/articles/icon-card.tsx';
import { coreValues, missionParagraphs, teamMembers } from '#web/content/about.ts';
import { links } from '#web/lib/links.ts';
import { createPageMeta, getSiteData } from '#web/lib/page-meta.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { PageBody } from '#web/shell/page-body.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { HeroBanner } from '#web/ui/hero-banner.tsx';
import { SectionHeading } from '#web/ui/section-heading.tsx';

const coreValueIcons: Record<(typeof coreValues)[number]['name'], typeof Leaf> = {
  Trust: ShieldCheck,
  Simplicity: Sparkles,
  Community: Handshake,
  Sustainability: Leaf,
};

export const meta: MetaFunction = ({ matches }) => {
  const site = getSiteData(matches);
  return createPageMeta(site, {
    title: `About ${site.campus.siteName}`,
    description: `Why ${site.campus.siteName} exists, who makes it, and what we care about.`,
    path: links.about,
  });
};

export default function About() {
  const campus = useCampus();
  return (
    <>
      <HeroBanner
        title={`About ${campus.siteName}`}
        subtitle={`Made on campus, for the ${campus.shortName} community.`}
      />
      <PageBody className="space-y-12 md:space-y-16">
        <section aria-labelledby="mission">
          <SectionHeading id="mission">Our mission</SectionHeading>
          {missionParagraphs(campus).map((paragraph) => (
            <p key={paragraph} className="mt-3 max-w-prose text-lg text-ink-muted leading-relaxed">
              {paragraph}
            </p>
          ))}
        </section>
        <section aria-labelledby="values">
          <SectionHeading id="values">What we value</SectionHeading>
          <ul className="grid gap-4 md:grid-cols-2 lg:grid-cols-4 lg:gap-5">
            {coreValues.map(({ name, text }) => {
              const Icon = coreValueIcons[name];
              return (
                <li key={name}>
                  <IconCard icon={<Icon />} title={name} text={text} />
                </li>
              );
            })}
          </ul>
        </section>
        <section aria-labelledby="team">
          <SectionHeading id="team">The team</SectionHeading>
          <ul className="grid gap-x-6 gap-y-8 md:grid-cols-2 lg:grid-cols-4">
            {teamMembers.map(({ name, role, about }) => (
              <li key={name} className="flex items-start gap-4 lg:flex-col">
                <Avatar name={name} size="lg" />
                <div className="min-w-0">
                  <h3 className="font-bold">{name}</h3>
                  <p className="font-semibold text-brand-text text-sm">{role}</p>
                  <p className="mt-1 text-ink-muted text-sm">{about}</p>
                </div>
              </li>
            ))}
          </ul>
        </section>
      </PageBody>
    </>
  );
}
