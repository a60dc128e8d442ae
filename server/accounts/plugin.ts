import type { FastifyInstance } from 'fastify';
import type { HttpDeps } from '#server/http/serve.ts';
import type { AccountServices } from './account-services.ts';
import { gotrueRoutes } from './gotrue-routes.ts';
import { accountRoutes } from './routes.ts';

/** Accounts and sessions: the account functions, and the GoTrue dialect for the official client. */
export const accountsPlugin = async (
  app: FastifyInstance,
  { http, services }: { http: HttpDeps; services: AccountServices },
): Promise<void> => {
  const { sessions, signingKeys } = services;
  accountRoutes(app, http, services);
  gotrueRoutes(app, { ...http, ...services });

  const stopListening = sessions.listen();
  app.addHook('onClose', async () => stopListening());
  // Unreadable keys end the start instead of failing the first log-in.
  await signingKeys.list();
};
