import type { FastifyInstance } from 'fastify';
import { consoleCalls } from '#contract/console-calls.ts';
import type { MeetingSpotFacts } from '#contract/meeting-spots.ts';
import type { App } from '#server/app.ts';
import {
  findStoredAnnouncement,
  removeAnnouncement,
  setAnnouncement,
} from '#server/features/announcements/public.ts';
import { importCourses, listConsoleCourses, removeCourse } from '#server/features/books/public.ts';
import {
  addMeetingSpot,
  changeMeetingSpot,
  confirmMeetingSpot,
  listStoredMeetingSpots,
  removeMeetingSpot,
} from '#server/features/handovers/public.ts';
import { serveCall } from '#server/http/serve.ts';

const registerMeetingSpotRoutes = (server: FastifyInstance, app: App): void => {
  const listSpots = async () => ({
    items: (await listStoredMeetingSpots(app)).map(({ confirmed_at, ...spot }) => ({
      ...spot,
      confirmed_at: confirmed_at?.toISOString() ?? null,
    })),
  });
  serveCall(server, app, consoleCalls.listConsoleSpots, listSpots);
  serveCall(server, app, consoleCalls.addSpot, async ({ body: { reason: _, ...facts } }) => {
    await addMeetingSpot(app, facts);
    return listSpots();
  });
  serveCall(server, app, consoleCalls.changeSpot, async ({ params, body: { reason: _, ...facts } }) => {
    // The type allows undefined facts, but parsed JSON contains no undefined values, so the cast is safe.
    await changeMeetingSpot(app, params.id, facts as Partial<MeetingSpotFacts>);
    return listSpots();
  });
  serveCall(server, app, consoleCalls.confirmSpot, async ({ params }) => {
    await confirmMeetingSpot(app, params.id);
    return listSpots();
  });
  serveCall(server, app, consoleCalls.removeSpot, async ({ params }) => {
    await removeMeetingSpot(app, params.id);
    return listSpots();
  });
};

/** Registers the calls of administrators for meeting spots, courses and the announcement. */
export const registerCampusRoutes = (server: FastifyInstance, app: App): void => {
  registerMeetingSpotRoutes(server, app);

  serveCall(server, app, consoleCalls.listConsoleCourses, ({ query }) => listConsoleCourses(app, query));
  serveCall(server, app, consoleCalls.importCourses, ({ body }) => importCourses(app, body.csv));
  serveCall(server, app, consoleCalls.removeCourse, async ({ params }) => {
    await removeCourse(app, params.code);
    return { success: true } as const;
  });

  serveCall(server, app, consoleCalls.getAnnouncement, async () => ({
    announcement: await findStoredAnnouncement(app),
  }));
  serveCall(server, app, consoleCalls.setAnnouncement, async ({ body: { text, begins_at, ends_at } }) => ({
    announcement: await setAnnouncement(app, { text, begins_at, ends_at }),
  }));
  serveCall(server, app, consoleCalls.removeAnnouncement, async () => ({
    announcement: await removeAnnouncement(app),
  }));
};
