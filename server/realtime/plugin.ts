import type { FastifyInstance } from 'fastify';
import type { RealtimeService } from './realtime.ts';

/** Attaches the live delivery of messages to the HTTP server. */
export const realtimePlugin = async (
  app: FastifyInstance,
  { realtime }: { realtime: RealtimeService },
): Promise<void> => {
  realtime.attach(app.server);
  // Close the sockets in the preClose hook: it runs before the server waits for all connections to
  // end, which these sockets would otherwise prevent.
  app.addHook('preClose', realtime.close);
};
