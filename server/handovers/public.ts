/** Public API of handovers for the rest of the server. */
export { type CalendarHandover, renderCalendar } from './calendar.ts';
export {
  addDefaultMeetingSpots,
  createMeetingSpotAdministration,
  createMeetingSpotService,
  type MeetingSpotAdministration,
} from './spot-service.ts';
