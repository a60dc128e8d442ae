import type { ComponentType } from 'react';
import {
  FurnitureIllustration,
  GameDayIllustration,
  MerchandiseIllustration,
  RentalsIllustration,
} from './category-tiles.tsx';

const illustrations: Record<string, ComponentType> = {
  'game-day': GameDayIllustration,
  merchandise: MerchandiseIllustration,
  rentals: RentalsIllustration,
  furniture: FurnitureIllustration,
};

/** The illustration of a category, or nothing if it has none. */
export function CategoryIllustration({ category }: { category: string }) {
  const Illustration = illustrations[category];
  return Illustration && <Illustration />;
}
