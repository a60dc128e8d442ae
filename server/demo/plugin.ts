import type { FastifyInstance } from 'fastify';
import { consoleCalls } from '#contract/console-calls.ts';
import { type PluginOptions, serveCall } from '#server/http/serve.ts';
import { countDemoData, removeDemoCampus } from './remove.ts';

/** Registers the calls of administrators that count and remove the demo campus. */
export const demoPlugin = async (server: FastifyInstance, { app }: PluginOptions): Promise<void> => {
  serveCall(server, app, consoleCalls.getDemoData, () => countDemoData(app));
  serveCall(server, app, consoleCalls.removeDemoData, () => removeDemoCampus(app));
};
