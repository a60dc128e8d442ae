/** Public API of handovers for other features, commands and the shell. */
export { type CalendarHandover, renderCalendar } from './calendar.ts';
export {
  addShippedSpots,
  createMeetingSpotAdministration,
  createMeetingSpotService,
  type MeetingSpotAdministration,
} from './spot-service.ts';
