import type { FastifyInstance } from 'fastify';
import { allCalls } from '#contract/all-calls.ts';
import type { CallDeclaration } from '#contract/calls/declare-call.ts';
import { listDocumentedErrors } from '#server/http/documentation.ts';
import { toFastifyPath } from '#server/http/serve.ts';

const codesByRoute = new Map(
  Object.values(allCalls).map((call: CallDeclaration) => [
    `${call.method} ${toFastifyPath(call.path)}`,
    listDocumentedErrors(call),
  ]),
);

/**
 * Makes the running test fail when a call responds with an error that its documentation does not list. Call it before
 * the application is ready.
 */
export const failOnUndocumentedErrors = (server: FastifyInstance): void => {
  server.addHook('onSend', async ({ method, routeOptions }, { statusCode }, payload) => {
    const route = `${method} ${routeOptions.url}`;
    const codes = codesByRoute.get(route);
    if (!codes || statusCode < 400) return;
    const { code } = JSON.parse(String(payload));
    if (!codes.has(code))
      console.error(`${route} responded with ${code}, which its documentation does not list.`);
  });
};
