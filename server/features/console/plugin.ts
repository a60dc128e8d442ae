import type { FastifyInstance } from 'fastify';
import { consoleCalls } from '#contract/console-calls.ts';
import { type PluginOptions, serveCall } from '#server/http/serve.ts';
import { type CampusServices, registerCampusRoutes } from './campus/routes.ts';
import { registerSubmittedFormRoutes } from './forms/routes.ts';
import type { OverviewService } from './overview/service.ts';
import { type PeopleServices, registerPeopleRoutes } from './people/routes.ts';

/** The services that the console's sections use. */
export type ConsoleServices = PeopleServices & CampusServices & { overview: OverviewService };

/** Registers the calls of the console's sections, which use the services of other features. */
export const consolePlugin = async (
  server: FastifyInstance,
  { app, http, services }: PluginOptions & { services: ConsoleServices },
): Promise<void> => {
  serveCall(server, http, consoleCalls.getOverview, services.overview.get);
  registerPeopleRoutes(server, app, http, services);
  registerSubmittedFormRoutes(server, http, services);
  registerCampusRoutes(server, http, services);
};
