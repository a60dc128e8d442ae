import type { FastifyInstance } from 'fastify';
import { consoleCalls } from '#contract/console-calls.ts';
import type { PeopleService } from '#server/accounts/public.ts';
import { type HttpDeps, serveCall } from '#server/http/serve.ts';
import type { PersonActions } from './actions-service.ts';

export interface PeopleServices {
  people: PeopleService;
  personActions: PersonActions;
}

/** Registers the calls with which administrators find people and act on their accounts. */
export const registerPeopleRoutes = (
  app: FastifyInstance,
  http: HttpDeps,
  { people, personActions }: PeopleServices,
): void => {
  serveCall(app, http, consoleCalls.listPeople, ({ query: { q, cursor } }) => people.list(q ?? '', cursor));
  serveCall(app, http, consoleCalls.createPerson, async ({ body: { email } }) =>
    people.get(await personActions.create(email)),
  );
  serveCall(app, http, consoleCalls.getPerson, ({ params: { id } }) => people.get(id));
  serveCall(app, http, consoleCalls.actOnPerson, async ({ params: { id }, body, session }) => {
    await personActions.act(id, body, session);
    return people.get(id);
  });
  serveCall(app, http, consoleCalls.deletePerson, async ({ params: { id }, body, session }) => {
    await personActions.delete(id, body, session);
    return { success: true } as const;
  });
};
