import type { DemoListing } from './listing.ts';

/** Kitchen things. */
export const kitchenListings: DemoListing[] = [
  {
    by: 'kenji',
    category: 'kitchen',
    condition: 'good',
    price: 48,
    title: 'Enamel pot set with lids and a frying pan',
    description:
      'Two pots and one pan, all fine on gas and induction. The large one has fed twelve planners on a Sunday. No chips inside, some honest wear outside.',
    place: 'Graduate housing courtyard',
    photos: ['pots'],
    days: 0.75,
  },
  {
    by: 'kenji',
    category: 'kitchen',
    condition: 'like-new',
    price: 32,
    title: 'Rice cooker, six cups, keeps warm for hours',
    description:
      'I upgraded to a larger one, this one did nothing wrong. Measuring cup and paddle included. It plays a small song when the rice is done, which cannot be turned off.',
    place: 'Graduate housing courtyard',
    photos: ['rice-cooker'],
    days: 4.3,
    contact: 'both',
  },
  {
    by: 'marcus',
    category: 'kitchen',
    condition: 'good',
    price: 26,
    title: 'Drip coffee maker with glass carafe, twelve cups',
    description:
      'Retired from our office kitchen in favor of a machine that nobody understands. Descaled last week, reusable filter included. Makes a dependable pot.',
    place: 'Library loading dock, weekdays at noon',
    photos: ['coffee-maker', 'coffee-maker close'],
    days: 6.9,
  },
  {
    by: 'sofia',
    category: 'kitchen',
    condition: 'like-new',
    price: 19,
    title: 'Stovetop kettle with a wooden handle',
    description:
      'Whistles politely. I brought it back from a weekend market and used it all winter for tea. Holds two liters and pours without dripping.',
    place: 'International House reception',
    photos: ['kettle'],
    days: 9.8,
  },
  {
    by: 'tom',
    category: 'kitchen',
    condition: 'good',
    price: 29.99,
    title: 'Countertop blender for smoothies, five speeds',
    description:
      'Strong enough for frozen fruit and ice. The lid seal is new. Selling because my new place comes with one, and nobody needs two blenders.',
    place: 'Transfer student lounge',
    photos: ['blender'],
    days: 14.1,
  },
  {
    by: 'leila',
    category: 'kitchen',
    condition: 'good',
    price: 25,
    title: 'Dinner set for four: plates, bowls and mugs',
    description:
      'Six plates, three bowls and two mugs survived college, which is enough for four if nobody eats soup twice. Microwave and dishwasher safe.',
    place: 'Adams Boulevard, second floor with elevator',
    photos: ['plates'],
    days: 17.2,
  },
  {
    by: 'amara',
    category: 'kitchen',
    condition: 'good',
    price: 34,
    title: 'Toaster oven that fits a whole frozen pizza',
    description:
      'Bakes, broils and toasts. Crumb tray comes out for cleaning and has been cleaned. Uses far less power than the big oven and does not heat up the room.',
    place: 'Law school graduate apartments',
    photos: ['toaster-oven'],
    days: 20.5,
  },
];
