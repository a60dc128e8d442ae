import { ArrowRight } from 'lucide-react';
import { type ComponentType, lazy } from 'react';
import { Link, type LoaderFunctionArgs, type MetaFunction, useLoaderData } from 'react-router';
import { categoryLabels } from '#contract/categories.ts';
import { links } from '#web/lib/links.ts';
import { pageContext } from '#web/lib/page-context.ts';
import { pageMeta, siteDataFromMatches } from '#web/lib/page-meta.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { ListingGrid } from '#web/listings/listing-grid.tsx';
import { PageBody } from '#web/shell/page-body.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { HeroBanner } from '#web/ui/hero-banner.tsx';
import { CampusScene } from '#web/ui/illustrations/campus-scene.tsx';
import {
  FurnitureTile,
  GameDayTile,
  MerchandiseTile,
  RentalsTile,
} from '#web/ui/illustrations/category-tiles.tsx';
import { LazyPart } from '#web/ui/lazy-part.tsx';
import { LinkChips } from '#web/ui/link-chips.tsx';
import { SectionHeading } from '#web/ui/section-heading.tsx';

// The drawings of the empty state are loaded only when it is shown.
const BrowseEmpty = lazy(async () => ({
  default: (await import('#web/listings/browse-empty.tsx')).BrowseEmpty,
}));

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
  context.get(pageContext).reads.listLatest(recentPostLimit);

export const meta: MetaFunction<typeof loader> = ({ matches }) => {
  const site = siteDataFromMatches(matches);
  return pageMeta(site, {
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
        actions={
          <Button variant="accent" size="lg" asChild>
            <Link to={links.category('game-day')}>Start Trading</Link>
          </Button>
        }
      />
      <PageBody className="space-y-10 md:space-y-14">
        <section aria-labelledby="explore">
          <SectionHeading id="explore">Explore Categories</SectionHeading>
          <ul className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4 lg:gap-5">
            <Tile
              slug="game-day"
              title="Game Day Exchange"
              text="Tickets, Tailgate Passes & Gear"
              drawing={GameDayTile}
            />
            <Tile
              slug="merchandise"
              title={`${campus.mascot} Merchandise`}
              text="Jerseys, hoodies and caps"
              drawing={MerchandiseTile}
            />
            <Tile
              slug="furniture"
              title="Furniture & Essentials"
              text="For dorm rooms and first apartments"
              drawing={FurnitureTile}
            />
            <Tile slug="rentals" title="Rentals" text="Borrow it for a day or a week" drawing={RentalsTile} />
          </ul>
          <LinkChips
            label="More categories"
            chips={categoriesWithoutTile.map((slug) => ({
              to: links.category(slug),
              label: categoryLabels[slug],
            }))}
            className="mt-4 sm:mt-5"
          />
        </section>
        <section aria-labelledby="recent">
          <SectionHeading
            id="recent"
            action={
              <Button variant="link" asChild>
                <Link to={links.category('game-day')}>
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
            <LazyPart>
              <BrowseEmpty as="h3" title="Nothing posted yet" text="Be the first to post an item!" />
            </LazyPart>
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

function Tile({ slug, title, text, drawing: Drawing }: TileProps) {
  return (
    <li className="grid">
      <Card interactive>
        <div className="aspect-4/3 overflow-hidden">
          <Drawing />
        </div>
        <div className="p-3 sm:p-4">
          <h3 className="font-bold leading-snug sm:text-lg">
            <Link
              to={links.category(slug)}
              prefetch="intent"
              className="outline-none after:absolute after:inset-0"
            >
              {title}
            </Link>
          </h3>
          <p className="mt-0.5 text-ink-muted text-sm">{text}</p>
        </div>
      </Card>
    </li>
  );
}
