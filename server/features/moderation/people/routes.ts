import type { FastifyInstance } from 'fastify';
import { consoleCalls } from '#contract/console-calls.ts';
import type { App } from '#server/app.ts';
import { createAccount, getPerson, listPeople } from '#server/features/accounts/public.ts';
import { serveCall } from '#server/http/serve.ts';
import { actOnPerson, deletePerson } from './actions.ts';

/** Registers the calls with which administrators find people and act on their accounts. */
export const registerPeopleRoutes = (server: FastifyInstance, app: App): void => {
  serveCall(server, app, consoleCalls.listPeople, ({ query: { q, cursor } }) =>
    listPeople(app, q ?? '', cursor),
  );
  serveCall(server, app, consoleCalls.createPerson, async ({ body }) =>
    getPerson(app, await createAccount(app, body.email)),
  );
  serveCall(server, app, consoleCalls.getPerson, ({ params }) => getPerson(app, params.id));
  serveCall(server, app, consoleCalls.actOnPerson, async ({ params: { id }, body, session }) => {
    await actOnPerson(app, id, body, session);
    return getPerson(app, id);
  });
  serveCall(server, app, consoleCalls.deletePerson, async ({ params, body, session }) => {
    await deletePerson(app, params.id, body, session);
    return { success: true } as const;
  });
};
