import type { FastifyInstance } from 'fastify';
import { consoleCalls } from '#contract/console-calls.ts';
import type { MeetingSpotFacts } from '#contract/meeting-spots.ts';
import {
  findStoredAnnouncement,
  removeAnnouncement,
  setAnnouncement,
} from '#server/features/announcements/public.ts';
import {
  addMeetingSpot,
  changeMeetingSpot,
  confirmMeetingSpot,
  listStoredMeetingSpots,
  removeMeetingSpot,
} from '#server/features/handovers/public.ts';
import { type PluginOptions, serveCall } from '#server/http/serve.ts';

type RouteOptions = Pick<PluginOptions, 'app' | 'http'>;

const registerMeetingSpotRoutes = (server: FastifyInstance, { app, http }: RouteOptions): void => {
  const listSpots = async () => ({
    items: (await listStoredMeetingSpots(app)).map(({ confirmed_at, ...spot }) => ({
      ...spot,
      confirmed_at: confirmed_at?.toISOString() ?? null,
    })),
  });
  serveCall(server, http, consoleCalls.listConsoleSpots, listSpots);
  serveCall(server, http, consoleCalls.addSpot, async ({ body: { reason: _, ...facts } }) => {
    await addMeetingSpot(app, facts);
    return listSpots();
  });
  serveCall(server, http, consoleCalls.changeSpot, async ({ params, body: { reason: _, ...facts } }) => {
    // The type allows undefined facts, but parsed JSON contains no undefined values, so the cast is safe.
    await changeMeetingSpot(app, params.id, facts as Partial<MeetingSpotFacts>);
    return listSpots();
  });
  serveCall(server, http, consoleCalls.confirmSpot, async ({ params }) => {
    await confirmMeetingSpot(app, params.id);
    return listSpots();
  });
  serveCall(server, http, consoleCalls.removeSpot, async ({ params }) => {
    await removeMeetingSpot(app, params.id);
    return listSpots();
  });
};

/** Registers the calls of administrators for meeting spots and the announcement. */
export const registerCampusRoutes = (server: FastifyInstance, { app, http }: RouteOptions): void => {
  registerMeetingSpotRoutes(server, { app, http });

  serveCall(server, http, consoleCalls.getAnnouncement, async () => ({
    announcement: await findStoredAnnouncement(app),
  }));
  serveCall(server, http, consoleCalls.setAnnouncement, async ({ body: { text, begins_at, ends_at } }) => ({
    announcement: await setAnnouncement(app, { text, begins_at, ends_at }),
  }));
  serveCall(server, http, consoleCalls.removeAnnouncement, async () => ({
    announcement: await removeAnnouncement(app),
  }));
};
