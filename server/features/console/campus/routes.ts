import type { FastifyInstance } from 'fastify';
import { consoleCalls } from '#contract/console-calls.ts';
import type { MeetingSpotFacts } from '#contract/meeting-spots.ts';
import type { AnnouncementAdministrationService } from '#server/features/announcements/public.ts';
import type { MeetingSpotAdministrationService } from '#server/features/handovers/public.ts';
import { type HttpDeps, serveCall } from '#server/http/serve.ts';

export interface CampusServices {
  meetingSpots: MeetingSpotAdministrationService;
  announcements: AnnouncementAdministrationService;
  demoData: {
    count(): Promise<{ accounts: number; listings: number }>;
    remove(): Promise<{ accounts: number; listings: number; conversations: number; photos: number }>;
  };
}

/** Registers the calls for meeting spots, the announcement and the demo campus. */
export const registerCampusRoutes = (
  server: FastifyInstance,
  http: HttpDeps,
  { meetingSpots, announcements, demoData }: CampusServices,
): void => {
  const listSpots = async () => ({
    items: (await meetingSpots.list()).map(({ confirmed_at, ...spot }) => ({
      ...spot,
      confirmed_at: confirmed_at?.toISOString() ?? null,
    })),
  });
  serveCall(server, http, consoleCalls.listConsoleSpots, listSpots);
  serveCall(server, http, consoleCalls.addSpot, async ({ body: { reason: _, ...facts } }) => {
    await meetingSpots.add(facts);
    return listSpots();
  });
  serveCall(server, http, consoleCalls.changeSpot, async ({ params, body: { reason: _, ...facts } }) => {
    // The type allows undefined facts, but parsed JSON contains no undefined values, so the cast is safe.
    await meetingSpots.change(params.id, facts as Partial<MeetingSpotFacts>);
    return listSpots();
  });
  serveCall(server, http, consoleCalls.confirmSpot, async ({ params }) => {
    await meetingSpots.confirm(params.id);
    return listSpots();
  });
  serveCall(server, http, consoleCalls.removeSpot, async ({ params }) => {
    await meetingSpots.remove(params.id);
    return listSpots();
  });

  serveCall(server, http, consoleCalls.getAnnouncement, async () => ({
    announcement: await announcements.find(),
  }));
  serveCall(server, http, consoleCalls.setAnnouncement, async ({ body: { text, begins_at, ends_at } }) => ({
    announcement: await announcements.set({ text, begins_at, ends_at }),
  }));
  serveCall(server, http, consoleCalls.removeAnnouncement, async () => ({
    announcement: await announcements.remove(),
  }));

  serveCall(server, http, consoleCalls.getDemoData, demoData.count);
  serveCall(server, http, consoleCalls.removeDemoData, demoData.remove);
};
