import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { auditReasonBodySchema } from '#contract/audit.ts';
import type { CallDeclaration, CallOutput, ParsedCallInput } from '#contract/calls/declare-call.ts';
import { toCampusDay } from '#contract/campus.ts';
import { isConsoleRole } from '#contract/console.ts';
import { createFieldProblem, createProblem, toFieldErrors } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import type { JobCollector } from '#server/platform/jobs.ts';
import {
  type ConsoleSession,
  findRequestContext,
  type RequestDevice,
  type Session,
} from '#server/platform/process/request-context.ts';
import { readRequestDevice } from './device-cookie.ts';
import { maxCredentialBodyBytes, maxJsonBodyBytes } from './http-server-options.ts';
import { readSignOnBrowser } from './sign-on-cookie.ts';

/** Returns the bearer token of a request, or undefined when there is none. */
export const readBearerToken = (request: FastifyRequest): string | undefined =>
  /^Bearer ([\w.-]+)$/i.exec(request.headers.authorization ?? '')?.[1];

/** Returns the session of a request, or undefined when its access token is missing or invalid. */
export const findSession = async (request: FastifyRequest, app: App): Promise<Session | undefined> => {
  const token = readBearerToken(request);
  return token === undefined ? undefined : app.sessionChecks.authenticate(app, token);
};

/** Returns the session of a request; throws a Problem (401) when its access token is missing or invalid. */
export const requireSession = async (request: FastifyRequest, app: App): Promise<Session> => {
  const session = await findSession(request, app);
  if (!session) throw createProblem('not_authenticated');
  return session;
};

/** What the plugin of a feature gets, which registers its routes, hooks and jobs. */
export interface PluginOptions {
  app: App;
  addJobs: JobCollector;
}

interface ClientContext {
  /** The client's address. Forwarded headers count only when a trusted proxy sent them. */
  address: string;
  device: RequestDevice;
  /** Returns the hash that names the browser in which a log-in by the university's sign-on began. */
  readSignOnBrowser(): Buffer | undefined;
}

type SessionForAccess<Access extends CallDeclaration['access']> = {
  user: Session;
  moderator: ConsoleSession;
  administrator: ConsoleSession;
  either: Session | undefined;
  anyone: undefined;
}[Access];

type CallHandler<C extends CallDeclaration> = (
  request: ParsedCallInput<C> & ClientContext & { session: SessionForAccess<C['access']> },
) => Promise<CallOutput<C>>;

declare module 'fastify' {
  interface FastifyRequest {
    session: Session | ConsoleSession | undefined;
    /** When the session was last checked, on the monotonic clock in milliseconds. */
    sessionCheckedAt: number;
  }
}

// A malformed id in the path gets the same response as an id that does not exist.
const parseParams = (call: CallDeclaration, value: unknown): unknown => {
  const parsed = call.params?.safeParse(value);
  if (parsed && !parsed.success) throw createProblem(call.notFound ?? 'not_found');
  return parsed?.data;
};

/**
 * Returns the error message for an invalid value whose schema defines no message. The default
 * messages of the schema library are written for programmers.
 */
const toFallbackMessage = ({ input }: { input?: unknown }): string =>
  input === undefined ? 'This is required' : 'This value is not valid';

/**
 * Validates a body or a query and returns the parsed value. Throws a Problem that contains the messages of all invalid
 * fields.
 */
export const parseRequestPart = <Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.output<Schema> => {
  const parsed = schema.safeParse(value ?? {}, { error: toFallbackMessage });
  if (parsed.success) return parsed.data;
  throw createFieldProblem(toFieldErrors(parsed.error, (path) => path.join('.') || 'body'));
};

const checkSession = async (
  app: App,
  access: CallDeclaration['access'],
  request: FastifyRequest,
): Promise<void> => {
  request.sessionCheckedAt = app.clock.elapsed();
  if (access === 'either') request.session = await findSession(request, app);
  else if (access !== 'anyone') {
    const session = await requireSession(request, app);
    request.session =
      access === 'user'
        ? session
        : { ...session, role: await app.sessionChecks.requireConsoleRole(app, session, access) };
  }
};

/** Creates a hook that checks the session, if the call requires one, and the rate limit before the body is read. */
export const createCallGuard =
  (app: App, call: Pick<CallDeclaration, 'access' | 'limit'>) =>
  async (request: FastifyRequest): Promise<void> => {
    await checkSession(app, call.access, request);
    if (call.limit) {
      await app.limits.consume(call.limit, { address: request.ip, userId: request.session?.userId });
    }
  };

/**
 * Checks the session of a request again after its body has arrived, unless it was checked within the last second. A
 * body can take a minute, and a session must end everywhere within five seconds (promise 12).
 */
export const recheckSession = async (
  app: App,
  access: CallDeclaration['access'],
  request: FastifyRequest,
): Promise<void> => {
  if (app.clock.elapsed() - request.sessionCheckedAt > 1000) await checkSession(app, access, request);
};

/** Records the reason that a console call states, for all audit entries of the request. */
const recordReason = ({ access }: CallDeclaration, body: unknown): void => {
  const context = findRequestContext();
  const { data } = auditReasonBodySchema.safeParse(body);
  if (context && data && isConsoleRole(access)) context.reason = data.reason;
};

/** Returns the maximum size of a call's body in bytes. */
const getMaxBodyBytes = ({ body, access, maxBodyBytes }: CallDeclaration): number => {
  if (!body) return 1024;
  if (maxBodyBytes) return maxBodyBytes;
  return access === 'anyone' ? maxCredentialBodyBytes : maxJsonBodyBytes;
};

export const toFastifyPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

/**
 * Serves one call of the contract: checks session and limits, validates every part with the call's schemas, runs the handler and returns its output as JSON.
 */
export const serveCall = <C extends CallDeclaration>(
  server: FastifyInstance,
  app: App,
  call: C,
  handler: CallHandler<C>,
): void => {
  const { clock, config } = app;
  const parseCallBody = (value: unknown) => {
    const { body } = call as CallDeclaration;
    if (!body) return undefined;
    return parseRequestPart(
      typeof body === 'function' ? body(toCampusDay(config.campus, clock.now()), config.campus) : body,
      value,
    );
  };
  const { file } = call as CallDeclaration;
  server.route({
    method: call.method,
    url: toFastifyPath(call.path),
    bodyLimit: getMaxBodyBytes(call),
    // A call that uses no session and has no rate limit needs no guard.
    ...(call.access === 'anyone' && !call.limit ? {} : { onRequest: createCallGuard(app, call) }),
    ...(call.access === 'anyone'
      ? {}
      : { preValidation: (request: FastifyRequest) => recheckSession(app, call.access, request) }),
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const parts = {
        params: parseParams(call, request.params),
        query: call.query && parseRequestPart(call.query, request.query),
        body: parseCallBody(request.body),
        session: request.session,
        address: request.ip,
        device: readRequestDevice(request, reply, config.publicUrl),
        readSignOnBrowser: () => readSignOnBrowser(request, config.publicUrl),
      } as Parameters<typeof handler>[0];
      recordReason(call, parts.body);
      const output = await handler(parts);
      if (file) reply.header('content-disposition', `attachment; filename="${file.name}"`);
      return reply
        .header('cache-control', 'no-store')
        .type(file?.type ?? 'application/json; charset=utf-8')
        .send(output);
    },
  });
};
