import type { Category, Condition } from '#contract/categories.ts';
import type { DrawingName } from './drawings/catalogue.ts';
import type { PersonKey } from './people.ts';

/** A drawing as it stands, or from close by before another background. */
export type DemoPhoto = DrawingName | `${DrawingName} close`;

/** A listing of the demo campus. A draft may lack what a published listing must have. */
export interface DemoListing {
  by: PersonKey;
  category: Category;
  condition: Condition | null;
  /** Dollars. */
  price: number | null;
  title: string;
  description: string | null;
  place: string | null;
  photos: readonly DemoPhoto[];
  /** Age in days when the campus is seeded. */
  days: number;
  /** Which home game it is about: the number of the coming Saturday, 1 for the next. */
  game?: number;
  /** How to reach the seller; by e-mail when nothing is said. */
  contact?: 'phone' | 'both' | 'none';
  draft?: true;
}
