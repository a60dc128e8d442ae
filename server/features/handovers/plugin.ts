import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import { type PluginOptions, serveCall } from '#server/http/serve.ts';
import { listMeetingSpots } from './meeting-spots.ts';

/** Registers the call for the meeting spots of the campus. */
export const handoversPlugin = async (server: FastifyInstance, { app }: PluginOptions): Promise<void> => {
  serveCall(server, app, calls.listMeetingSpots, () => listMeetingSpots(app));
};
