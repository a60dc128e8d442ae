import type { FastifyInstance } from 'fastify';
import type { Realtime } from './realtime.ts';

/** Attaches the live delivery of messages to the app's HTTP server. */
export const realtimePlugin = async (
  app: FastifyInstance,
  { realtime }: { realtime: Realtime },
): Promise<void> => {
  realtime.attach(app.server);
  // preClose runs before the server waits for its connections to end.
  app.addHook('preClose', realtime.close);
};
