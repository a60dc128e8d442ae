import {
  Armchair,
  Award,
  BookOpen,
  CookingPot,
  Flag,
  Gift,
  Laptop,
  type LucideIcon,
  PencilRuler,
  Repeat,
  Shirt,
  Ticket,
} from 'lucide-react';
import { Link } from 'react-router';
import { type Category, categories, getCategoryLabel } from '#contract/categories.ts';
import { links } from '#web/lib/links.ts';
import { useCampus } from '#web/lib/use-campus.ts';

const categoryIcons: Record<Category, LucideIcon> = {
  'game-day': Ticket,
  merchandise: Flag,
  furniture: Armchair,
  rentals: Repeat,
  textbooks: BookOpen,
  electronics: Laptop,
  clothing: Shirt,
  'study-items': PencilRuler,
  kitchen: CookingPot,
  'trojan-merch': Award,
  free: Gift,
};

/** Links to all categories, on phones in one row that scrolls sideways. */
export function CategoryLinks() {
  const { mascot } = useCampus();
  return (
    <nav aria-label="All categories" className="-mx-4 md:mx-0">
      <ul className="scroll-row gap-1 px-2.5 py-1 md:grid md:grid-cols-6 md:gap-y-2 md:px-0 lg:grid-cols-11">
        {categories.map((category) => {
          const Icon = categoryIcons[category];
          return (
            <li key={category} className="min-w-19 shrink-0 md:min-w-0">
              <Link
                to={links.category(category)}
                prefetch="intent"
                className="group flex flex-col items-center gap-1.5 whitespace-nowrap rounded-md px-1.5 py-1 font-semibold text-ink text-xs"
              >
                <span className="grid size-12 place-items-center rounded-full bg-brand-soft text-brand-text transition-colors group-hover:bg-gold-soft group-hover:text-gold-text">
                  <Icon aria-hidden="true" className="size-6" />
                </span>
                {getCategoryLabel(category, mascot)}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
