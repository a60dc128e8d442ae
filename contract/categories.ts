/** Labels of all categories that can be browsed, by slug (specification §3). */
export const categoryLabels = {
  'game-day': 'Game Day',
  merchandise: 'Merch',
  furniture: 'Furniture',
  rentals: 'Rentals',
  textbooks: 'Textbooks',
  electronics: 'Electronics',
  clothing: 'Clothing',
  'study-items': 'Study Items',
  kitchen: 'Kitchen',
  'trojan-merch': 'Mascot Merch',
  free: 'Free',
} as const;

export type Category = keyof typeof categoryLabels;

export const categories = Object.keys(categoryLabels) as [Category, ...Category[]];

/** The categories that the post form offers, in the order in which it shows them (specification §3). */
export const postableCategories = [
  'furniture',
  'electronics',
  'textbooks',
  'clothing',
  'kitchen',
  'study-items',
  'game-day',
  'merchandise',
  'rentals',
  'free',
] as const satisfies readonly Category[];

/** Returns the label of a category; the label of `trojan-merch` contains the campus mascot's name. */
export const getCategoryLabel = (category: Category, mascot: string): string =>
  category === 'trojan-merch' ? `${mascot} Merch` : categoryLabels[category];

/** Returns whether a text is the slug of a category. */
export const isCategory = (slug: string): slug is Category => Object.hasOwn(categoryLabels, slug);

/** Labels of the conditions of a listing, by slug (specification §3). */
export const conditionLabels = {
  new: 'New',
  'like-new': 'Like New',
  good: 'Good',
  fair: 'Fair',
} as const;

export type Condition = keyof typeof conditionLabels;

export const conditions = Object.keys(conditionLabels) as [Condition, ...Condition[]];
