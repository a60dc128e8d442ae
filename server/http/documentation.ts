import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { allCalls } from '#contract/all-calls.ts';
import { type CallDeclaration, listDeclaredErrors } from '#contract/calls/declare-call.ts';
import { type Campus, toCampusDay } from '#contract/campus.ts';
import { type ErrorCode, errorCatalog, formatErrorMessage } from '#contract/errors.ts';

import { type RateLimitRule, rateLimitRules } from '#contract/limits.ts';
import { serverVersion } from '#server/platform/process/version.ts';
import { searchCallPaths } from './search-limit.ts';

type JsonObject = Record<string, unknown>;

const toJsonSchema = (schema: z.ZodType, io: 'input' | 'output'): JsonObject => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonObject;
  return json;
};

const describeParameters = (schema: z.ZodType | undefined, location: 'path' | 'query'): JsonObject[] => {
  if (!schema) return [];
  const { properties = {}, required = [] } = toJsonSchema(schema, 'input') as {
    properties?: Record<string, JsonObject>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: location,
    required: location === 'path' || required.includes(name),
    schema: property,
  }));
};

const needsRole = ({ access }: CallDeclaration): boolean =>
  access === 'moderator' || access === 'administrator';
const needsSession = (call: CallDeclaration): boolean => call.access === 'user' || needsRole(call);

/** Returns the codes of all errors that the documentation of a call lists: its own and those common to such calls. */
export const listDocumentedErrors = (call: CallDeclaration): ReadonlySet<ErrorCode> =>
  new Set<ErrorCode>([
    ...listDeclaredErrors(call),
    ...(call.body || call.query ? (['validation_failed'] as const) : []),
    ...(needsSession(call) ? (['not_authenticated'] as const) : []),
    ...(needsRole(call) ? (['role_required', 'second_factor_required'] as const) : []),
    ...(call.limit || call.accountLimits || searchCallPaths.has(call.path)
      ? (['rate_limited'] as const)
      : []),
    ...(call.method === 'GET' ? [] : (['too_large'] as const)),
    ...(call.body ? (['unsupported_media_type'] as const) : []),
    'malformed_request',
    'internal',
    'unavailable',
  ]);

const describeResponses = (call: CallDeclaration, campus: Campus): JsonObject => {
  const byStatus = Map.groupBy(listDocumentedErrors(call), (code) => errorCatalog[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      {
        description: group.map((code) => `\`${code}\`: ${formatErrorMessage(code, campus)}`).join('\n\n'),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
};

const describeRateLimit = ({ points, what, seconds }: RateLimitRule): string =>
  `At most ${points} ${what} in ${seconds} s.`;

const describeOperation = (
  name: string,
  call: CallDeclaration,
  campus: Campus,
  today: string,
): JsonObject => {
  const body = typeof call.body === 'function' ? call.body(today, campus) : call.body;
  const counted = [...(call.limit ? [call.limit] : []), ...(call.accountLimits ?? [])].map(
    (name) => rateLimitRules[name],
  );
  return {
    operationId: name,
    summary: call.summary,
    tags: [call.path.split('/')[1]],
    ...(counted.length > 0 ? { description: counted.map(describeRateLimit).join('\n\n') } : {}),
    ...(needsSession(call) ? { security: [{ session: [] }] } : {}),
    ...(call.access === 'either' ? { security: [{}, { session: [] }] } : {}),
    parameters: [...describeParameters(call.params, 'path'), ...describeParameters(call.query, 'query')],
    ...(body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: toJsonSchema(body, 'input') } },
          },
        }
      : {}),
    responses: {
      200: {
        description: 'Done.',
        content: { [call.file?.type ?? 'application/json']: { schema: toJsonSchema(call.output, 'output') } },
      },
      ...describeResponses(call, campus),
    },
  };
};

/** What the documentation says about a route that no call of the contract declares. */
export interface RouteDescription {
  summary: string;
  access: 'user' | 'anyone';
  query?: z.ZodType;
  /** Schema of the JSON body. `file` stands for a multipart body with one file. */
  body?: z.ZodType | 'file';
  /** What the response is, unless it is JSON. */
  response?: 'nothing' | 'file' | 'redirect';
}

declare module 'fastify' {
  interface FastifyContextConfig {
    description?: RouteDescription;
  }
}

interface DescribedRoute extends RouteDescription {
  method: string;
  path: string;
}

/** Collects the routes that have a description, as they are registered. */
export const collectDescribedRoutes = (server: FastifyInstance): DescribedRoute[] => {
  const routes: DescribedRoute[] = [];
  server.addHook('onRoute', ({ method, url, config }) => {
    if (!config?.description) return;
    const path = url.replace(/:(\w+)/g, '{$1}').replace('*', '{path}');
    for (const name of [method].flat())
      if (name !== 'HEAD') routes.push({ method: name, path, ...config.description });
  });
  return routes;
};

const fileContent = { type: 'string', format: 'binary' };

const describeRouteBody = (body: z.ZodType | 'file'): JsonObject => {
  const fileForm = { type: 'object', properties: { file: fileContent }, required: ['file'] };
  const content =
    body === 'file'
      ? { 'multipart/form-data': { schema: fileForm } }
      : { 'application/json': { schema: toJsonSchema(body, 'input') } };
  return { required: true, content };
};

const describeRoute = ({ path, summary, access, query, body, response }: DescribedRoute): JsonObject => {
  const [, area = ''] = path.split('/');
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const success = {
    nothing: { 204: { description: 'Done.' } },
    redirect: { 303: { description: 'A redirect.' } },
    file: { 200: { description: 'The file.', content: { '*/*': { schema: fileContent } } } },
    json: { 200: { description: 'Done.', content: { 'application/json': { schema: { type: 'object' } } } } },
  }[response ?? 'json'];
  const errorSchema = { $ref: `#/components/schemas/${area === 'auth' ? 'AuthError' : 'Error'}` };
  return {
    summary,
    tags: [area],
    ...(access === 'user' ? { security: [{ session: [] }] } : {}),
    parameters: [...parameters, ...describeParameters(query, 'query')],
    ...(body ? { requestBody: describeRouteBody(body) } : {}),
    responses: {
      ...success,
      default: { description: 'An error.', content: { 'application/json': { schema: errorSchema } } },
    },
  };
};

/** Returns an OpenAPI 3.1 document that describes all calls of the contract, and other routes that have a description. */
export const buildOpenApiDocument = (
  campus: Campus,
  publicUrl: string,
  now: Date,
  routes: readonly DescribedRoute[],
): JsonObject => {
  const paths: Record<string, JsonObject> = {};
  for (const [name, call] of Object.entries(allCalls) as [string, CallDeclaration][]) {
    const path = paths[call.path] ?? {};
    path[call.method.toLowerCase()] = describeOperation(name, call, campus, toCampusDay(campus, now));
    paths[call.path] = path;
  }
  for (const route of routes)
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: describeRoute(route) };
  return {
    openapi: '3.1.0',
    info: { title: campus.siteName, version: serverVersion, description: `The calls of ${campus.siteName}.` },
    servers: [{ url: publicUrl }],
    components: {
      securitySchemes: { session: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: {
        Error: {
          type: 'object',
          required: ['error', 'code'],
          properties: {
            error: { type: 'string', description: 'A sentence for a person.' },
            code: { type: 'string', description: 'A stable name for a program.' },
            fields: { type: 'object', additionalProperties: { type: 'string' } },
          },
        },
        AuthError: {
          type: 'object',
          required: ['code', 'message'],
          properties: {
            code: { type: 'string', description: 'A name of GoTrue.' },
            message: { type: 'string', description: 'A sentence for a person.' },
          },
        },
      },
    },
    paths,
  };
};

const documentationCsp = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** Serves the documentation of the API at /docs, and the document itself at /openapi.json. */
export const installDocumentation = async (
  server: FastifyInstance,
  campus: Campus,
  publicUrl: string,
  now: Date,
  routes: readonly DescribedRoute[],
): Promise<void> => {
  const document = buildOpenApiDocument(campus, publicUrl, now, routes);
  const text = JSON.stringify(document);
  await server.register(swagger, { mode: 'static', specification: { document: document as never } });
  await server.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: documentationCsp,
    // Without `validatorUrl: null`, Swagger UI would load a validator badge from a third-party
    // server.
    uiConfig: { validatorUrl: null, persistAuthorization: false },
  });
  server.get('/openapi.json', (_request, reply) => reply.type('application/json').send(text));
};
