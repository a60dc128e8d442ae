import { ArrowRight } from 'lucide-react';
import type { ComponentType } from 'react';
import { Link, type LoaderFunctionArgs, type MetaFunction, useLoaderData } from 'react-router';
import { categoryLabels } from '#contract/categories.ts';
import { HomeNextHandover } from '#web/deals/home-next-handover.tsx';
import { links } from '#web/lib/links.ts';
import { pageLoaderContext } from '#web/lib/page-context.ts';
import { createPageMeta, getSiteData } from '#web/lib/page-meta.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { LazyBrowseEmptyState } from '#web/listings/lazy-parts.tsx';
import { ListingGrid } from '#web/listings/listing-grid.tsx';
import { PageBody } from '#web/shell/page-body.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { HeroBanner } from '#web/ui/hero-banner.tsx';
import { CampusScene } from '#web/ui/illustrations/campus-scene.tsx';
import {
  FurnitureIllustration,
  GameDayIllustration,
  MerchandiseIllustration,
  RentalsIllustration,
} from '#web/ui/illustrations/category-tiles.tsx';
import { LinkChips } from '#web/ui/link-chips.tsx';
import { SectionHeading } from '#web/ui/section-heading.tsx';

/** The categories that have a link below the tiles instead of a tile. */
const categoriesWithoutTile = [
  'textbooks',
  'electronics',
  'clothing',
  'study-items',
  'kitchen',
  'free',
] as const;

/** Number of listings under Recent Posts (specification §9). */
const recentPostLimit = 8;

export const loader = ({ context }: LoaderFunctionArgs) =>
  context.get(pageLoaderContext).reads.listLatest(recentPostLimit);

export const meta: MetaFunction<typeof loader> = ({ matches }) => {
  const site = getSiteData(matches);
  return createPageMeta(site, {
    title: site.campus.siteName,
    description: `Buy, sell and rent with other students at ${site.campus.name}: game day tickets, ${site.campus.mascot} gear, furniture, textbooks and more, face to face on campus.`,
    path: links.home,
  });
};

export default function Home() {
  const items = useLoaderData<typeof loader>();
  const campus = useCampus();
  return (
    <>
      <HeroBanner
        size="home"
        title="Everything you need is already on campus"
        subtitle={`Buy, sell and rent with ${campus.shortName} students you can meet between classes.`}
        illustration={<CampusScene />}
        overlay={<HomeNextHandover />}
        actions={
          <Button
            variant="accent"
            size="lg"
            className="max-md:returning:min-h-11 max-md:returning:px-4 max-md:returning:text-sm"
            asChild
          >
            <Link to={links.category('game-day')}>Start Trading</Link>
          </Button>
        }
      />
      <PageBody className="space-y-10 md:space-y-14 returning:space-y-6 returning:py-4 md:returning:py-7">
        <section aria-labelledby="explore">
          <SectionHeading id="explore" className="returning:mb-3">
            Explore Categories
          </SectionHeading>
          <ul className="two-columns gap-3 sm:gap-4 lg:grid-cols-4 lg:gap-5 returning:gap-2 md:returning:grid-cols-4 md:returning:gap-3">
            <CategoryTile
              slug="game-day"
              title="Game Day Exchange"
              text="Tickets, Tailgate Passes & Gear"
              drawing={GameDayIllustration}
            />
            <CategoryTile
              slug="merchandise"
              title={`${campus.mascot} Merchandise`}
              text="Jerseys, hoodies and caps"
              drawing={MerchandiseIllustration}
            />
            <CategoryTile
              slug="furniture"
              title="Furniture & Essentials"
              text="For dorm rooms and first apartments"
              drawing={FurnitureIllustration}
            />
            <CategoryTile
              slug="rentals"
              title="Rentals"
              text="Borrow it for a day or a week"
              drawing={RentalsIllustration}
            />
          </ul>
          <LinkChips
            label="More categories"
            chips={categoriesWithoutTile.map((slug) => ({
              to: links.category(slug),
              label: categoryLabels[slug],
            }))}
            className="mt-4 sm:mt-5 returning:mt-3 returning:scroll-row returning:-mx-(--page-gutter) returning:flex-nowrap returning:px-(--page-gutter) returning:py-1 returning:*:shrink-0"
          />
        </section>
        <section aria-labelledby="recent">
          <SectionHeading
            id="recent"
            className="returning:mb-3"
            action={
              <Button variant="link" asChild>
                <Link to={links.browse}>
                  View All
                  <ArrowRight aria-hidden="true" className="size-4" />
                </Link>
              </Button>
            }
          >
            Recent Posts
          </SectionHeading>
          {items.length > 0 ? (
            <ListingGrid listings={items} stagger={0.1} even />
          ) : (
            <LazyBrowseEmptyState as="h3" title="Nothing posted yet" text="Be the first to post an item!" />
          )}
        </section>
      </PageBody>
    </>
  );
}

interface TileProps {
  slug: string;
  title: string;
  text: string;
  drawing: ComponentType;
}

function CategoryTile({ slug, title, text, drawing: Drawing }: TileProps) {
  return (
    <li className="grid">
      <Card interactive className="returning:flex returning:items-center">
        <div className="aspect-4/3 overflow-hidden returning:aspect-square returning:w-14 returning:shrink-0 lg:returning:w-20">
          <Drawing />
        </div>
        <div className="p-3 sm:p-4 returning:px-2 returning:py-0 md:returning:px-2.5 lg:returning:px-4">
          <h3 className="font-bold leading-snug sm:text-lg returning:text-sm returning:leading-tight returning:tracking-tight lg:returning:text-base">
            <Link
              to={links.category(slug)}
              prefetch="intent"
              className="outline-none after:absolute after:inset-0"
            >
              {title}
            </Link>
          </h3>
          <p className="mt-0.5 text-ink-muted text-sm max-lg:returning:hidden">{text}</p>
        </div>
      </Card>
    </li>
  );
}
