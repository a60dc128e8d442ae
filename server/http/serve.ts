import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { CallOutput, CallParts, CallShape } from '#contract/calls.ts';
import { type Campus, campusDay } from '#contract/campus.ts';
import { fieldProblem, problem, toFieldErrors } from '#contract/errors.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { JsonText } from '#server/platform/json/json-text.ts';
import type { Authenticate, RequestDevice, Session } from '#server/platform/process/request-context.ts';
import type { RateLimits } from '#server/platform/rate-limits.ts';
import { requestDevice } from './device-cookie.ts';
import { credentialBytes, jsonBytes } from './wire.ts';

/** Returns the bearer token of a request; undefined when there is none. */
export const bearerToken = (request: FastifyRequest): string | undefined =>
  /^Bearer ([\w.-]+)$/i.exec(request.headers.authorization ?? '')?.[1];

/** Returns the session of a request; undefined when its token is missing or invalid. */
export const findSession = async (
  request: FastifyRequest,
  authenticate: Authenticate,
): Promise<Session | undefined> => {
  const token = bearerToken(request);
  return token === undefined ? undefined : authenticate(token);
};

/** Returns the session of a request; throws 401 when there is none. */
export const requireSession = async (
  request: FastifyRequest,
  authenticate: Authenticate,
): Promise<Session> => {
  const session = await findSession(request, authenticate);
  if (!session) throw problem('not_authenticated');
  return session;
};

/** Dependencies of every served call. */
export interface HttpDeps {
  authenticate: Authenticate;
  rateLimits: RateLimits;
  clock: Clock;
  campus: Campus;
  publicUrl: string;
}

/** The client that sent a request. */
interface ClientContext {
  /** The client address, taken from forwarded headers only of trusted proxies. */
  address: string;
  device: RequestDevice;
}

type SessionOf<Access extends CallShape['access']> = {
  user: Session;
  either: Session | undefined;
  anyone: undefined;
}[Access];

type Handler<C extends CallShape> = (
  request: CallParts<C> & ClientContext & { session: SessionOf<C['access']> },
) => Promise<CallOutput<C> | JsonText<CallOutput<C>>>;

declare module 'fastify' {
  interface FastifyRequest {
    session: Session | undefined;
  }
}

// An invalid path gets the same response as one that does not exist.
const parseParams = (call: CallShape, value: unknown): unknown => {
  const parsed = call.params?.safeParse(value);
  if (parsed && !parsed.success) throw problem(call.notFound ?? 'not_found');
  return parsed?.data;
};

/** What is said of a value whose schema has no sentence of its own: the library's default ones are for programmers. */
const fallback = ({ input }: { input?: unknown }): string =>
  input === undefined ? 'This is required' : 'This value is not valid';

/** Validates a body or a query; refuses with every field's sentence at once. */
export const parseBody = <Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> => {
  const parsed = schema.safeParse(value ?? {}, { error: fallback });
  if (parsed.success) return parsed.data;
  throw fieldProblem(toFieldErrors(parsed.error, (path) => path.join('.') || 'body'));
};

/** Checks the session, if the call requires one, and the rate limit before the body is read. */
export const guard =
  (
    { authenticate, rateLimits }: Pick<HttpDeps, 'authenticate' | 'rateLimits'>,
    call: Pick<CallShape, 'access' | 'limit'>,
  ) =>
  async (request: FastifyRequest): Promise<void> => {
    if (call.access === 'user') request.session = await requireSession(request, authenticate);
    if (call.access === 'either') request.session = await findSession(request, authenticate);
    if (call.limit) {
      await rateLimits.consume(call.limit, { address: request.ip, userId: request.session?.userId });
    }
  };

/** Returns the maximum size of a call's body in bytes. */
const bodyLimit = ({ body, access }: CallShape): number => {
  if (!body) return 1024;
  return access === 'anyone' ? credentialBytes : jsonBytes;
};

/** Returns the path of a call in Fastify's syntax. */
const routePath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

/**
 * Serves one call of the contract: checks session and limits, validates every part with the call's schemas (reporting
 * all field errors together), runs the handler and returns its output as JSON.
 */
export const serve = <C extends CallShape>(
  app: FastifyInstance,
  deps: HttpDeps,
  call: C,
  handler: Handler<C>,
): void => {
  const readBody = (value: unknown) => {
    const { body } = call as CallShape;
    if (!body) return undefined;
    return parseBody(
      typeof body === 'function' ? body(campusDay(deps.campus, deps.clock.now()), deps.campus) : body,
      value,
    );
  };
  app.route({
    method: call.method,
    url: routePath(call.path),
    bodyLimit: bodyLimit(call),
    // A call that anyone may make, as often as they like, has nothing to guard.
    ...(call.access === 'anyone' && !call.limit ? {} : { onRequest: guard(deps, call) }),
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const parts = {
        params: parseParams(call, request.params),
        query: call.query && parseBody(call.query, request.query),
        body: readBody(request.body),
        session: request.session,
        address: request.ip,
        device: requestDevice(request, reply, deps.publicUrl),
      } as Parameters<typeof handler>[0];
      const output = await handler(parts);
      return reply.header('cache-control', 'no-store').type('application/json; charset=utf-8').send(output);
    },
  });
};
