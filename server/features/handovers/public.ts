/** Public API of handovers for the rest of the server. */
export { type CalendarHandover, renderCalendar } from './calendar.ts';
export { findSpotName, type StoredSpot } from './meeting-spot-repository.ts';
export {
  addDefaultMeetingSpots,
  addMeetingSpot,
  bindMeetingSpotAdministration,
  changeMeetingSpot,
  confirmMeetingSpot,
  listMeetingSpots,
  listStoredMeetingSpots,
  type MeetingSpotAdministrationService,
  removeMeetingSpot,
} from './meeting-spots.ts';
