import type { FastifyInstance } from 'fastify';
import { consoleCalls } from '#contract/console-calls.ts';
import type { App } from '#server/app.ts';
import { getPerson, listPeople } from '#server/features/accounts/public.ts';
import { type HttpDeps, serveCall } from '#server/http/serve.ts';
import type { PersonActions } from './actions-service.ts';

export interface PeopleServices {
  personActions: PersonActions;
}

/** Registers the calls with which administrators find people and act on their accounts. */
export const registerPeopleRoutes = (
  server: FastifyInstance,
  app: App,
  http: HttpDeps,
  { personActions }: PeopleServices,
): void => {
  serveCall(server, http, consoleCalls.listPeople, ({ query: { q, cursor } }) =>
    listPeople(app, q ?? '', cursor),
  );
  serveCall(server, http, consoleCalls.createPerson, async ({ body: { email } }) =>
    getPerson(app, await personActions.create(email)),
  );
  serveCall(server, http, consoleCalls.getPerson, ({ params: { id } }) => getPerson(app, id));
  serveCall(server, http, consoleCalls.actOnPerson, async ({ params: { id }, body, session }) => {
    await personActions.act(id, body, session);
    return getPerson(app, id);
  });
  serveCall(server, http, consoleCalls.deletePerson, async ({ params: { id }, body, session }) => {
    await personActions.delete(id, body, session);
    return { success: true } as const;
  });
};
