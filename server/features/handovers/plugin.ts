import type { FastifyInstance } from 'fastify';
import { calls } from '#contract/calls.ts';
import { type HttpDeps, serveCall } from '#server/http/serve.ts';
import type { MeetingSpotService } from './meeting-spot-service.ts';

/** Registers the call for the meeting spots of the campus. */
export const handoversPlugin = async (
  server: FastifyInstance,
  { http, meetingSpots }: { http: HttpDeps; meetingSpots: MeetingSpotService },
): Promise<void> => {
  serveCall(server, http, calls.listMeetingSpots, () => meetingSpots.list());
};
