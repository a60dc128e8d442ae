import { afterAll, afterEach, beforeEach, vi } from 'vitest';
import { z } from 'zod';
import {
  type CallDeclaration,
  type CallOutput,
  declareCall,
  listDeclaredErrors,
} from '#contract/calls/declare-call.ts';
import { uploadResponseSchema } from '#contract/calls.ts';
import { defaultCampus } from '#contract/campus.ts';
import { type ErrorBody, type ErrorCode, errorCatalog, formatErrorMessage } from '#contract/errors.ts';

const authUserSchema = z.looseObject({ id: z.string(), email: z.string() });

/** The calls that the contract does not declare: uploads, and those of the authentication client. */
export const undeclaredCalls = {
  upload: declareCall({
    method: 'POST',
    path: '/storage/v1/object/{bucket}',
    summary: 'Upload a photo',
    access: 'user',
    output: uploadResponseSchema,
    errors: ['unsupported_media_type'],
  }),
  createSession: declareCall({
    method: 'POST',
    path: '/auth/v1/token',
    summary: 'Create or refresh a session',
    access: 'anyone',
    output: z.looseObject({ access_token: z.string(), refresh_token: z.string() }),
    errors: [],
  }),
  startPasskeyLogIn: declareCall({
    method: 'POST',
    path: '/auth/v1/passkeys/authentication/options',
    summary: 'Begin a log-in by passkey',
    access: 'anyone',
    output: z.looseObject({ challenge_id: z.string() }),
    errors: [],
  }),
  finishPasskeyLogIn: declareCall({
    method: 'POST',
    path: '/auth/v1/passkeys/authentication/verify',
    summary: 'Log in with the response of a passkey',
    access: 'anyone',
    output: z.looseObject({ access_token: z.string(), refresh_token: z.string() }),
    errors: [],
  }),
  provePasskey: declareCall({
    method: 'POST',
    path: '/auth/v1/passkeys/proof',
    summary: 'Use a passkey in the open session',
    access: 'user',
    output: z.looseObject({ access_token: z.string(), refresh_token: z.string() }),
    errors: [],
  }),
  listPasskeys: declareCall({
    method: 'GET',
    path: '/auth/v1/passkeys',
    summary: 'The passkeys of the account',
    access: 'user',
    output: z.array(z.looseObject({ id: z.string(), friendly_name: z.string(), created_at: z.string() })),
    errors: [],
  }),
  startPasskeyRegistration: declareCall({
    method: 'POST',
    path: '/auth/v1/passkeys/registration/options',
    summary: 'Begin to add a passkey',
    access: 'user',
    output: z.looseObject({ challenge_id: z.string() }),
    errors: [],
  }),
  disconnectSignOn: declareCall({
    method: 'DELETE',
    path: '/auth/v1/user/identities/{id}',
    summary: 'Disconnect the sign-on',
    access: 'user',
    output: z.looseObject({}),
    errors: [],
  }),
  renamePasskey: declareCall({
    method: 'PATCH',
    path: '/auth/v1/passkeys/{id}',
    summary: 'Rename a passkey',
    access: 'user',
    output: z.looseObject({ id: z.string() }),
    errors: [],
  }),
  removePasskey: declareCall({
    method: 'DELETE',
    path: '/auth/v1/passkeys/{id}',
    summary: 'Remove a passkey',
    access: 'user',
    output: z.looseObject({}),
    errors: [],
  }),
  getAuthUser: declareCall({
    method: 'GET',
    path: '/auth/v1/user',
    summary: 'The account of the session, with its second factors',
    access: 'user',
    output: authUserSchema,
    errors: [],
  }),
  updateAuthUser: declareCall({
    method: 'PUT',
    path: '/auth/v1/user',
    summary: 'Change the password',
    access: 'user',
    output: authUserSchema,
    errors: [],
  }),
};

/** A request as a test receives it: the values of the path, the query and the parsed JSON body. */
export interface TestRequest {
  params: Record<string, string>;
  query: Record<string, string>;
  body: unknown;
}

type Handler = (request: TestRequest) => Promise<Response>;
type Respond<C extends CallDeclaration> = (request: TestRequest) => CallOutput<C> | Promise<CallOutput<C>>;

/** Errors that every call can return without declaring them. */
const commonErrors: readonly ErrorCode[] = [
  'validation_failed',
  'too_large',
  'rate_limited',
  'internal',
  'unavailable',
  'not_authenticated',
];

/** A refusal that a handler throws; see `refuse`. */
class Refusal extends Error {
  readonly code: ErrorCode;
  readonly details: Partial<ErrorBody>;

  constructor(code: ErrorCode, details: Partial<ErrorBody>) {
    super(code);
    this.code = code;
    this.details = details;
  }
}

/** Returns what a handler throws to refuse a call with an error of the catalog. */
export const refuse = (code: ErrorCode, details: Partial<ErrorBody> = {}): Refusal =>
  new Refusal(code, details);

/** Returns what a handler throws when the network fails. */
export const networkFailure = (): TypeError => new TypeError('Failed to fetch');

const toRefusedResponse = (call: CallDeclaration, { code, details }: Refusal): Response => {
  if (![...commonErrors, ...listDeclaredErrors(call)].includes(code))
    throw new Error(`${call.path} does not declare the error ${code}`);
  const body = { error: formatErrorMessage(code, defaultCampus), code, ...details };
  return Response.json(body, { status: errorCatalog[code].status });
};

const toPathPattern = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);

/**
 * Replaces `fetch` in a component test. Responses are checked with the schema of their call, so a test cannot
 * show what the server would never send. A request that nothing answers fails the test, and so does an answer
 * of the test file that no test requests.
 */
export const createTestApi = () => {
  const defaults = new Map<CallDeclaration, Handler>();
  const answered = new Set<CallDeclaration>();
  const requested = new Set<CallDeclaration>();
  let handlers = new Map<CallDeclaration, Handler>();
  let requests: { call: CallDeclaration; request: TestRequest }[] = [];
  let problems: string[] = [];
  let isRunning = false;

  const createHandler = <C extends CallDeclaration>(
    call: C,
    response: CallOutput<C> | Respond<C>,
  ): Handler => {
    const respond = typeof response === 'function' ? (response as Respond<C>) : () => response;
    return async (request) => {
      try {
        const body = await respond(request);
        const { error } = call.output.safeParse(body);
        if (error) problems.push(`The response of ${call.method} ${call.path} is invalid: ${error.message}`);
        return Response.json(body);
      } catch (reason) {
        if (reason instanceof Refusal) return toRefusedResponse(call, reason);
        if (reason instanceof Response) return reason;
        throw reason;
      }
    };
  };

  const findHandler = (method: string, { pathname, searchParams }: URL) => {
    for (const [call, handler] of handlers) {
      const match = call.method === method ? toPathPattern(call.path).exec(pathname) : null;
      if (!match) continue;
      const params = Object.fromEntries(
        Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
      );
      return { call, handler, params, query: Object.fromEntries(searchParams) };
    }
    return undefined;
  };

  // Most tests are not about passkeys: the log-in screen has none to suggest, and the account has none.
  defaults.set(undeclaredCalls.startPasskeyLogIn, () => Promise.reject(networkFailure()));
  defaults.set(undeclaredCalls.listPasskeys, async () => Response.json([]));

  const originalFetch = window.fetch;
  const handleFetch: typeof fetch = async (input, init) => {
    const sent = new Request(input, init);
    const url = new URL(sent.url);
    if (!/^\/(rest|functions|auth|storage)\/v1\//.test(url.pathname)) return originalFetch(input, init);
    const found = findHandler(sent.method, url);
    if (!found) {
      problems.push(`No answer is declared for ${sent.method} ${url.pathname}`);
      throw networkFailure();
    }
    const { call, handler, params, query } = found;
    const isJson = sent.headers.get('content-type')?.includes('json');
    const text = isJson ? await sent.text() : '';
    const request = { params, query, body: text ? JSON.parse(text) : undefined };
    requested.add(call);
    requests.push({ call, request });
    return handler(request);
  };

  beforeEach(() => {
    isRunning = true;
    handlers = new Map(defaults);
    requests = [];
    problems = [];
    vi.stubGlobal('fetch', handleFetch);
  });
  afterEach(() => {
    isRunning = false;
    vi.unstubAllGlobals();
    if (problems.length > 0) throw new Error(problems.join('\n'));
  });
  afterAll(() => {
    const unused = [...answered].filter((call) => !requested.has(call));
    if (unused.length > 0)
      throw new Error(`No test requested ${unused.map(({ method, path }) => `${method} ${path}`)}`);
  });

  const setHandler = <C extends CallDeclaration>(call: C, response: CallOutput<C> | Respond<C>): void => {
    const handler = createHandler(call, response);
    if (!isRunning) defaults.set(call, handler);
    handlers.set(call, handler);
  };

  return {
    /**
     * Responds to a call with a body, or with what a function returns or throws (see `refuse`; a thrown `Response` stands
     * for that of a proxy). Outside a test it applies to every test of the file; within a test, to the rest of it.
     */
    answer: <C extends CallDeclaration>(call: C, response: CallOutput<C> | Respond<C>): void => {
      answered.add(call);
      setHandler(call, response);
    },
    /**
     * Responds like `answer` to a call that a screen makes by itself, such as after a pause in typing, so that a test may
     * end before it is made.
     */
    mayAnswer: setHandler,
    /**
     * Responds to a call like `answer`, but each request waits until `release` is called. Later requests then no
     * longer wait.
     */
    hold: <C extends CallDeclaration>(call: C, response: CallOutput<C> | Respond<C>) => {
      const handler = createHandler(call, response);
      const { promise, resolve } = Promise.withResolvers<void>();
      answered.add(call);
      handlers.set(call, async (request) => {
        await promise;
        return handler(request);
      });
      return { release: () => resolve() };
    },
    /** Returns the requests of a call in the running test, oldest first. */
    listRequests: (call: CallDeclaration): TestRequest[] =>
      requests.filter((it) => it.call === call).map(({ request }) => request),
  };
};
