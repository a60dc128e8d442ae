import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import { type PluginOptions, serveCall } from '#server/http/serve.ts';
import { listComingGames } from './schedule.ts';

/** Registers the call for the schedule of the campus. */
export const schedulePlugin = async (server: FastifyInstance, { app }: PluginOptions): Promise<void> => {
  serveCall(server, app, calls.listGames, () => listComingGames(app));
};
