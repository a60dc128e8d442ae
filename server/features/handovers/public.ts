/** Public API of handovers for the rest of the server. */
export { type CalendarHandover, renderCalendar } from './calendar.ts';
export { findSpotName } from './meeting-spot-repository.ts';
export {
  addDefaultMeetingSpots,
  createMeetingSpotAdministrationService,
  createMeetingSpotService,
  type MeetingSpotAdministrationService,
} from './meeting-spot-service.ts';
