import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { maxAwayDays } from '#contract/away.ts';
import type { Campus } from '#contract/campus.ts';
import { type Category, categories, conditions, postableCategories } from '#contract/categories.ts';
import { createCategoryFormSchemas } from '#contract/category-field-schemas.ts';
import { consoleRoleSchema } from '#contract/console.ts';
import { submittedFormKinds } from '#contract/console-forms.ts';
import { roundPrice } from '#contract/price-fields.ts';
import { formatAmount } from '#contract/prices.ts';
import { campusRoles } from '#contract/profiles.ts';
import { savedSearchBodySchema } from '#contract/saved-searches.ts';
import { giftDrawHours, rentalPeriods } from '#contract/selling.ts';
import { type DemoCase, demoCaseSchema } from './case-data.ts';
import { type DemoDeal, demoDealSchema } from './deal-data.ts';

/** The folder with the data; its README describes the files. */
const demoFolderUrl = new URL('../../demo/', import.meta.url);

const personSchema = z.strictObject({
  email: z.string(),
  fullName: z.string(),
  role: z.enum(campusRoles),
  bio: z.string(),
  phone: z.string(),
  consoleRole: consoleRoleSchema.optional(),
  awayDays: z.int().positive().max(maxAwayDays).optional(),
});

const createListingSchema = (campus: Campus) =>
  z.strictObject({
    title: z.string(),
    description: z.string().nullable().default(null),
    price: z.number().nullable().default(null),
    condition: z.enum(conditions).nullable().default(null),
    location: z.string().nullable().default(null),
    photos: z.array(z.string().regex(/^[a-z0-9-]+\.webp$/)),
    seller: z.string(),
    contact: z.enum(['email', 'phone', 'both', 'none']).default('email'),
    daysAgo: z.number().positive(),
    /** The number of the Saturday of the game, counted from now; the game has passed if it is negative. */
    homeGame: z.int().optional(),
    draft: z.boolean().default(false),
    rentalPeriod: z.enum(rentalPeriods).default('flexible'),
    soldDaysAgo: z.number().positive().optional(),
    soldTo: z.string().optional(),
    confirmedDaysAgo: z.number().positive().optional(),
    askedDaysAgo: z.number().positive().optional(),
    pausedDaysAgo: z.number().positive().optional(),
    drawHours: z.int().min(giftDrawHours.min).max(giftDrawHours.max).optional(),
    ...z.object(createCategoryFormSchemas(campus)).partial().shape,
  });

const savedListingSchema = z.strictObject({
  person: z.string(),
  listing: z.string(),
  daysAgo: z.number().positive(),
  price: z.number().optional(),
});

const savedSearchSchema = savedSearchBodySchema.extend({
  person: z.string(),
  daysAgo: z.number().positive(),
});

const wantedPostSchema = z.strictObject({
  person: z.string(),
  title: z.string(),
  category: z.enum(postableCategories),
  maxPrice: z.number().nullable(),
  daysAgo: z.number().positive(),
});

const conversationSchema = z.strictObject({
  listing: z.string(),
  buyer: z.string(),
  hoursAfterListing: z.number(),
  messages: z.array(
    z.strictObject({
      from: z.enum(['buyer', 'seller']),
      minutesLater: z.number(),
      /** Missing in a message that was unsent. */
      text: z.string().optional(),
      /** The number of the message that this one replies to, counted from 1. */
      replyTo: z.int().optional(),
    }),
  ),
  unread: z.int(),
});

const formSchema = z.strictObject({
  kind: z.enum(submittedFormKinds),
  daysAgo: z.number().positive(),
  sender: z.string().optional(),
  content: z.looseObject({ email: z.string() }),
  answer: z.strictObject({ by: z.string(), hoursLater: z.number().positive(), text: z.string() }).optional(),
});

export type DemoPerson = z.infer<typeof personSchema>;
export type DemoListing = z.infer<ReturnType<typeof createListingSchema>> & { category: Category };
export type DemoSavedListing = z.infer<typeof savedListingSchema>;
export type DemoSavedSearch = z.infer<typeof savedSearchSchema>;
export type DemoWantedPost = z.infer<typeof wantedPostSchema>;
export type DemoConversation = z.infer<typeof conversationSchema>;

export type DemoForm = z.infer<typeof formSchema>;

export interface DemoData {
  /** People by the short names with which listings and conversations refer to them. */
  people: Map<string, DemoPerson>;
  listings: DemoListing[];
  conversations: DemoConversation[];
  deals: DemoDeal[];
  savedListings: DemoSavedListing[];
  savedSearches: DemoSavedSearch[];
  wantedPosts: DemoWantedPost[];
  cases: DemoCase[];
  forms: DemoForm[];
}

const priceFields = new Set([
  'price',
  'min_price',
  'max_price',
  'maxPrice',
  'faceValue',
  'dayPrice',
  'weekPrice',
  'monthPrice',
  'deposit',
]);

/** Returns about the same price as one in dollars, in the currency of the campus. */
const toCampusPrice = (campus: Campus, dollars: number): number =>
  roundPrice(campus, dollars * campus.priceScale);

/** Texts of the demo data, such as names of people and places, by those that are in their place on a campus. */
export type DemoTexts = Readonly<Record<string, string>>;

/** Puts the texts of a campus in the place of others, the longest first. */
export const replaceTexts = (text: string, texts: DemoTexts): string =>
  Object.entries(texts)
    .toSorted(([one], [other]) => other.length - one.length)
    .reduce((changed, [from, to]) => changed.replaceAll(from, () => to), text);

/** Replaces amounts in dollars, and placeholders such as `{mascot}` with the names of this campus. */
const replacePlaceholders = (campus: Campus, file: string, text: string): string =>
  text
    .replace(/\$(\d+)/g, (_, dollars: string) => formatAmount(campus, toCampusPrice(campus, Number(dollars))))
    .replace(/\{(\w+)\}/g, (placeholder, field: string) => {
      const value = Object.hasOwn(campus, field) && campus[field as keyof Campus];
      if (typeof value !== 'string') throw new Error(`demo/${file}: unknown placeholder ${placeholder}`);
      return value;
    });

const readDemoFile = async <Schema extends z.ZodType>(
  file: string,
  schema: Schema,
  campus: Campus,
  texts: DemoTexts,
): Promise<z.output<Schema>> => {
  const data: unknown = JSON.parse(await readFile(new URL(file, demoFolderUrl), 'utf8'), (key, value) => {
    if (priceFields.has(key) && typeof value === 'number') return toCampusPrice(campus, value);
    return typeof value === 'string' ? replacePlaceholders(campus, file, replaceTexts(value, texts)) : value;
  });
  const result = schema.safeParse(data);
  if (!result.success) throw new Error(`demo/${file}: ${z.prettifyError(result.error)}`);
  return result.data;
};

/** Returns the people of the demo campus by their short names, in the order of the file. */
export const readDemoPeople = async (
  campus: Campus,
  texts: DemoTexts = {},
): Promise<Map<string, DemoPerson>> =>
  new Map(
    Object.entries(await readDemoFile('people.json', z.record(z.string(), personSchema), campus, texts)),
  );

/** Returns all data of the demo campus. Throws when a file breaks its schema, naming file and field. */
export const readDemoData = async (campus: Campus, texts: DemoTexts = {}): Promise<DemoData> => {
  const listings = categories.map(async (category) => {
    const found = await readDemoFile(
      `listings/${category}.json`,
      z.array(createListingSchema(campus)),
      campus,
      texts,
    );
    return found.map((listing) => ({ ...listing, category }));
  });
  return {
    people: await readDemoPeople(campus, texts),
    listings: (await Promise.all(listings)).flat(),
    conversations: await readDemoFile('conversations.json', z.array(conversationSchema), campus, texts),
    deals: await readDemoFile('deals.json', z.array(demoDealSchema), campus, texts),
    savedListings: await readDemoFile('saved.json', z.array(savedListingSchema), campus, texts),
    savedSearches: await readDemoFile('searches.json', z.array(savedSearchSchema), campus, texts),
    wantedPosts: await readDemoFile('wanted.json', z.array(wantedPostSchema), campus, texts),
    cases: await readDemoFile('cases.json', z.array(demoCaseSchema), campus, texts),
    forms: await readDemoFile('forms.json', z.array(formSchema), campus, texts),
  };
};

/** Returns the local file path of a demo campus picture. */
export const resolvePicturePath = (name: string): string =>
  fileURLToPath(new URL(`pictures/${name}`, demoFolderUrl));
