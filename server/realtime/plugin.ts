import type { FastifyInstance } from 'fastify';
import type { Realtime } from './realtime.ts';

/** Live messages, on WebSockets of the app's HTTP server. */
export const realtimePlugin = async (
  app: FastifyInstance,
  { realtime }: { realtime: Realtime },
): Promise<void> => {
  realtime.attach(app.server);
  // preClose runs before the server waits for its connections to end.
  app.addHook('preClose', realtime.close);
};
