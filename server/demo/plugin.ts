import type { FastifyInstance } from 'fastify';
import { consoleCalls } from '#contract/console-calls.ts';
import { type PluginOptions, serveCall } from '#server/http/serve.ts';
import { countDemoData, removeDemoCampus } from './remove.ts';

/** Registers the calls of administrators that count and remove the demo campus. */
export const demoPlugin = async (server: FastifyInstance, { app, http }: PluginOptions): Promise<void> => {
  serveCall(server, http, consoleCalls.getDemoData, () => countDemoData(app));
  serveCall(server, http, consoleCalls.removeDemoData, () => removeDemoCampus(app));
};
