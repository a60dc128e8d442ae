import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allCalls } from '#contract/all-calls.ts';
import { consoleRoles } from '#contract/console.ts';
import { loadPagesBuild } from '#server/pages/load-build.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import {
  type Actors,
  type AuthorizationFixtures,
  callerRoles,
  createActors,
  createAuthorizationFixtures,
} from '#server/testing/authorization-fixtures.ts';
import { authorizationTable } from '#server/testing/authorization-table.ts';
import { signInToConsole } from '#server/testing/console.ts';

/**
 * Number of SQL statements that each call sends when it succeeds (or, for log-in attempts, fails), including
 * BEGIN and COMMIT. Each rate limit adds one statement per key, and each queued job or email adds one statement.
 */
const statementCountByCall: Record<keyof typeof allCalls, number> = {
  // Statement counts of calls about accounts
  signup: 7,
  sendVerificationCode: 6,
  sendOtp: 6,
  verifyOtp: 5,
  loginPassword: 3,
  forgotPassword: 6,
  resetPassword: 1,
  sendSignOnCode: 2,
  connectSignOn: 2,
  // Statement counts of calls about profiles and sessions
  getMe: 1,
  updateMe: 5,
  getUser: 1,
  requestCampusCode: 9,
  verifyCampusAddress: 1,
  requestMembershipLink: 4,
  removeCampusAddress: 5,
  listSessions: 1,
  endSession: 2,
  reauthenticate: 8,
  // Two of the statements of `deleteMe` first lock listings and deals, in the same order as other
  // transactions.
  deleteMe: 28,
  // `downloadMyData` streams the export in several queries, one conversation at a time, so that memory use
  // does not grow with the amount of data.
  downloadMyData: 31,
  // `listUserReviews` checks in one statement that the person has a profile, and reads the reviews in the
  // other.
  listUserReviews: 2,
  // `getDealReviews` reads the deal in one statement and its reviews in the other.
  getDealReviews: 2,
  reviewDeal: 9,
  // Statement counts of calls about listings

  // `listListings` reads the listings in one statement and counts the total in the other, unless the total is
  // cached.
  listListings: 2,
  // `listSimilarMatches` finds similar known words in one statement and the listings that contain them in the
  // other.
  listSimilarMatches: 2,
  suggestListings: 1,
  suggestCategory: 1,
  getListing: 1,
  listSimilar: 1,
  // Statement counts of calls about books and courses
  // Each call reads from the catalog and from listings, or the course and its books.
  getBook: 2,
  getListingBook: 2,
  suggestCourses: 1,
  getCourse: 2,
  // One statement of `createListing` checks that the person is not suspended, and one queues the listing for matching with
  // saved searches.
  createListing: 9,
  listMyListings: 1,
  getMyListing: 1,
  // One statement of `setListingStatus` stores what was public before for the parties of open deals.
  setListingStatus: 9,
  // `changeListingPrice` saves the whole listing, as its form does.
  changeListingPrice: 13,
  // Two of the statements of `deleteListing` look for deals that the deletion would end or that forbid it.
  deleteListing: 8,
  restoreListing: 8,
  markListingSold: 9,
  // One statement of `relistListing` queues the listing for matching with saved searches.
  relistListing: 11,
  answerAvailability: 7,
  // Two of the statements of `copyListing` look for an earlier copy, before and after the files are copied.
  copyListing: 8,
  setAway: 10,
  endAway: 4,
  listInterestedPeople: 2,
  answerSale: 6,
  // Statement counts of calls about reports and moderation decisions
  report: 10,
  listDecisions: 1,
  appeal: 5,
  // Statement counts of calls about saved listings. `listSavedListings` reads the listings in one statement
  // and counts the total in the other.
  listSavedListings: 2,
  listSavedIds: 1,
  // Two of the statements of `saveListing` lock the listing and the person.
  saveListing: 6,
  saveListings: 6,
  removeSavedListing: 1,
  removeUnavailableListings: 1,
  // Statement counts of calls about saved searches
  listSavedSearches: 1,
  // Two of the statements of `saveSearch` lock the person and look for an equal search; another statement
  // reads a sample of texts to find the rarest part of the search text.
  saveSearch: 7,
  changeSavedSearch: 4,
  deleteSavedSearch: 1,
  // Statement counts of calls about wanted posts. Two of the statements of `createWantedPost` lock the account, one reads a
  // sample of texts.
  listWantedPosts: 1,
  listMyWantedPosts: 1,
  createWantedPost: 8,
  changeWantedPost: 8,
  closeWantedPost: 1,
  countWantedMatches: 2,
  countPeopleToTell: 2,
  tellPeople: 4,
  listListingsToAnswerWith: 2,
  answerWantedPost: 5,
  findSalePrices: 1,
  // Statement counts of calls about notifications. `listNotifications` reads the settings, the notifications
  // and the number of unread notifications.
  listNotifications: 3,
  readNotifications: 3,
  getNotificationSettings: 1,
  changeNotificationSettings: 8,
  // Statement counts of calls about push notifications
  listPushSubscriptions: 1,
  // One of the statements of `savePushSubscription` locks the session.
  savePushSubscription: 6,
  removePushSubscription: 1,
  // `checkShownPushes` sends one statement for each notification that the call asks about.
  checkShownPushes: 1,
  // Statement counts of calls about blocked people
  listBlocks: 1,
  listBlockedIds: 1,
  // Two of the statements of `blockPerson` prevent both people from starting deals with each other; one looks
  // for deals between them, and one for conversations.
  blockPerson: 9,
  unblockPerson: 1,
  // Statement counts of calls about conversations
  listConversations: 1,
  countUnread: 1,
  openConversation: 3,
  findConversation: 2,
  getConversation: 1,
  changeConversation: 2,
  // `listMessages` reads the parties in one statement and the messages in the other.
  listMessages: 2,
  sendMessage: 1,
  // Statements of `unsendMessage` begin and end the transaction, lock the conversation, read the message, check that its
  // photos are no evidence, delete them, its text, and schedule a push notification and the removal of files.
  unsendMessage: 9,
  markRead: 2,
  notifySellerNewMessage: 5,
  // Statement counts of calls about deals. One statement of `startDeal` locks the conversation before the
  // buyer, as account deletion does.
  startDeal: 18,
  // One statement of `makeDealTransition` reads whether the two people may contact each other.
  makeDealTransition: 7,
  listDeals: 1,
  findListingDeal: 3,
  getDeal: 1,
  // `listRentalPhotos` reads the deal in one statement and its photos in the other.
  listRentalPhotos: 2,
  // The photo that the test sends does not exist, so the transaction ends after the message.
  addRentalPhotos: 5,
  // Before the statements of `unsendMessage`, `removeRentalPhotos` reads the deal and the step of the photos. The message of
  // the test has none, so there are no files to remove.
  removeRentalPhotos: 9,
  downloadHandoverCalendar: 1,
  listHandovers: 1,
  downloadHandoversCalendar: 1,
  listDealsOfListing: 2,
  // Statement counts of calls about handovers
  listMeetingSpots: 1,
  listGames: 1,
  // Statement counts of calls that send public forms
  sendReport: 4,
  sendContact: 4,
  requestDataDeletion: 4,
  // Statement counts of console calls, each of which reads its caller's role in one statement
  getConsoleAccess: 2,
  listPeople: 2,
  listCases: 2,
  getCase: 11,
  assignCase: 17,
  chooseAction: 10,
  // `undoAction` is called with somebody else's action, which it does not find, so it sends only two
  // statements.
  undoAction: 11,
  getOverview: 6,
  createPerson: 10,
  getPerson: 3,
  actOnPerson: 13,
  // `deletePerson` sends the same statements as `deleteMe`, and two more that find the account.
  deletePerson: 32,
  listForms: 2,
  getForm: 4,
  changeForm: 10,
  answerForm: 12,
  listConsoleSpots: 2,
  addSpot: 8,
  changeSpot: 7,
  confirmSpot: 7,
  removeSpot: 7,
  listConsoleCourses: 3,
  importCourses: 9,
  removeCourse: 5,
  getAnnouncement: 2,
  setAnnouncement: 6,
  removeAnnouncement: 5,
  getDemoData: 3,
  // Nine of the statements of `removeDemoData` compute what things sold for again.
  removeDemoData: 24,
};

/**
 * Number of SQL statements that the server sends to render each page that has a loader, by route id. Serving
 * a cached page sends none.
 */
const statementCountByPage: Record<
  string,
  { path: (fixtures: AuthorizationFixtures) => string; statements: number }
> = {
  'routes/home': { path: () => '/', statements: 1 },
  // The category page reads the listings in one statement and counts the total in the other.
  'routes/category': { path: () => '/category/furniture', statements: 2 },
  // The page of a course reads the course, its books, the listings and their number.
  'routes/course': { path: ({ course }) => `/course/${course}`, statements: 4 },
  'routes/browse': { path: () => '/browse', statements: 2 },
  // The search page samples in one statement how common the text is, and reads the matches in another.
  // Because there are few matches, two more statements find similar known words and the listings that contain
  // them.
  'routes/search': { path: () => '/search?q=oak', statements: 4 },
  // The listing page reads the listing in one statement and similar listings in the other.
  'routes/listing': { path: ({ listing }) => `/listing/${listing.slug}`, statements: 2 },
  // The profile page reads the profile in one statement, the listings and their total in two statements, and
  // the reviews in two.
  'routes/user': { path: ({ owner }) => `/users/${owner.userId}`, statements: 5 },
  'routes/product': { path: ({ listing }) => `/product/${listing.slug}`, statements: 2 },
};

let testApp: TestApp;
let actors: Actors;
let administrator: Person;
let clientFolder: string;
const sentStatements: string[] = [];

beforeAll(async () => {
  const pages = await loadPagesBuild();
  ({ clientFolder } = pages);
  testApp = await startTestApp({
    replace: { pages },
    onStatement: (statement) => sentStatements.push(statement),
  });
  actors = await createActors(testApp);
  administrator = await signInToConsole(testApp, 'administrator');
});
afterAll(() => testApp.close());

const recordStatements = async (work: () => Promise<unknown>): Promise<string[]> => {
  sentStatements.length = 0;
  await work();
  // The test's own query for emails is not counted.
  return sentStatements.filter((statement) => !statement.includes('delete from testing.mail'));
};

test('promise 103: sending a text takes one statement, as in version 0.10', () => {
  expect(statementCountByCall.sendMessage).toBe(1);
});

describe('a call sends exactly the expected number of statements', () => {
  test.each(Object.entries(allCalls))('%s', async (name, { method, path, access }) => {
    const row = authorizationTable[`${method} ${path}`];
    if (!row) throw new Error(`${method} ${path} has no row in the authorization table`);
    const fixtures = await createAuthorizationFixtures(testApp, actors);
    const role = callerRoles.findLast((candidate) => row.status[candidate] < 300) ?? 'owner';
    const isConsoleCall = consoleRoles.some((it) => it === access);
    const caller = role === 'visitor' ? undefined : actors[role];
    const { headers = {} } = (isConsoleCall ? administrator : caller) ?? {};
    const { params = {}, query, body } = row.request(fixtures);
    const url = path.replace(/\{(\w+)\}/g, (_, param: string) => String(params[param]));
    // Send a request first, so that the session is cached. The statement that checks the session is then not
    // counted.
    await testApp.server.inject({ url: '/rest/v1/me', headers });
    const statements = await recordStatements(() =>
      testApp.server.inject({
        method,
        url: query ? `${url}?${query}` : url,
        headers,
        ...(body && { payload: body }),
      }),
    );
    if (row.final) actors = await createActors(testApp);
    const allowed = statementCountByCall[name as keyof typeof allCalls];
    expect(statements.length, `${name} sent:\n${statements.join('\n')}`).toBe(allowed);
  });
});

describe('a page sends exactly the expected number of statements, and none once it is cached', () => {
  // Request any page first: earlier tests have changed the announcement, so the next page reloads it with a
  // statement that must not be counted below.
  beforeAll(() => testApp.server.inject({ url: '/terms' }));

  test('every page with a loader has an expected number of statements', async () => {
    const folder = join(clientFolder, 'assets');
    const manifest = (await readdir(folder)).find((name) => /^manifest-.*\.js$/.test(name)) ?? '';
    const text = await readFile(join(folder, manifest), 'utf8');
    const { routes } = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
    const reading = Object.keys(routes).filter((id) => routes[id].hasLoader);
    expect(reading.sort()).toEqual([...Object.keys(statementCountByPage), 'root', 'routes/not-found'].sort());
  });

  test.each(Object.entries(statementCountByPage))('%s', async (_id, { path, statements: allowed }) => {
    const url = path(await createAuthorizationFixtures(testApp, actors));
    const statements = await recordStatements(() => testApp.server.inject({ url }));
    expect(statements.length, statements.join('\n')).toBe(allowed);
    expect(await recordStatements(() => testApp.server.inject({ url }))).toEqual([]);
  });

  test.each(['/terms', '/login', '/messages', '/no/such/page', '/category/left-shoes'])(
    '%s sends no statement',
    async (url) => {
      expect(await recordStatements(() => testApp.server.inject({ url }))).toEqual([]);
    },
  );
});
