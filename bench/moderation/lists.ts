import { submittedFormKinds, submittedFormStates } from '#contract/console-forms.ts';
import { type CaseQuery, caseStates } from '#contract/moderation.ts';
import type { App } from '#server/app.ts';
import { listPeople } from '#server/features/accounts/public.ts';
import { listForms } from '#server/features/forms/public.ts';
import { listCases } from '#server/features/moderation/cases.ts';
import { countOverview } from '#server/features/moderation/overview/overview.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import { createStubApp } from '#server/testing/stub-app.ts';

export interface ConsoleListPage {
  items: readonly unknown[];
  next_cursor: string | null;
}

/** A list of the moderation console, with one combination of its filters. */
export interface ConsoleList {
  group: 'people' | 'forms' | 'cases';
  name: string;
  /** Reads the page of the list at a cursor; without a cursor, the first page. */
  read(cursor: string | undefined): Promise<ConsoleListPage>;
}

/**
 * Texts to search for in the list of people. Each key says what is special about the text, such as how many
 * people it matches.
 */
const peopleTexts = {
  everybody: '',
  'an address': 'student54321@usc.edu',
  'a campus address of another account': 'private54320@usc.edu',
  'a part that nearly all addresses have': 'usc.edu',
  'a name that a tenth has': 'farah',
  'a part of one name': 'c4ca4238',
  'a text that nobody has': 'somebody-else',
  'one letter': 'e',
  'two letters': 'ad',
  'two characters that nobody has': 'zq',
  'a space and a letter': ' a',
  wildcards: '%_%',
  'a long text': 'student1@usc.edu'.repeat(20),
} as const;

const risks = [undefined, 1, 2, 3] as const;
const ages = [undefined, 24, 5_000, 10_000] as const;

const listCaseQueries = (): CaseQuery[] =>
  [undefined, ...caseStates].flatMap((state) =>
    risks.flatMap((risk) =>
      ages.flatMap((hours) =>
        [undefined, 'true' as const].map((appeals) => ({ state, risk, min_hours: hours, appeals })),
      ),
    ),
  );

/** Returns a readable name for a query, made of its filters, such as 'state open, risk 3'. */
const toName = (query: object): string =>
  Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ') || 'no filter';

/** Creates the App of a database, at a time that does not pass. */
export const createBenchApp = (sql: Sql, now: Date): App =>
  createStubApp({ sql, clock: { now: () => now, elapsed: () => performance.now() } });

/** Creates the lists of people, forms and cases, each with every combination of its filters. */
export const createConsoleLists = (app: App): ConsoleList[] => {
  return [
    ...Object.entries(peopleTexts).map(([name, text]) => ({
      group: 'people' as const,
      name,
      read: (cursor: string | undefined) => listPeople(app, text, cursor),
    })),
    ...[undefined, ...submittedFormKinds].flatMap((kind) =>
      submittedFormStates.map((state) => ({
        group: 'forms' as const,
        name: toName({ kind, state }),
        read: (cursor: string | undefined) => listForms(app, { kind, state, cursor }),
      })),
    ),
    ...listCaseQueries().map((query) => ({
      group: 'cases' as const,
      name: toName(query),
      read: (cursor: string | undefined) => listCases(app, { name: 'benchmark' }, { ...query, cursor }),
    })),
  ];
};

/** Reads the console's overview from the database, without its cache. */
export const readConsoleOverview = (app: App): Promise<unknown> => countOverview(app);
