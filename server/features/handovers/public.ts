export { type CalendarHandover, renderCalendar } from './calendar.ts';
export { findSpotPlace, type StoredSpot } from './meeting-spot-repository.ts';
export {
  addDefaultMeetingSpots,
  addMeetingSpot,
  changeMeetingSpot,
  confirmMeetingSpot,
  listMeetingSpots,
  listStoredMeetingSpots,
  removeMeetingSpot,
} from './meeting-spots.ts';
