export { type CalendarHandover, renderCalendar } from './calendar.ts';
export { findSpotPlace, type StoredSpot } from './meeting-spot-repository.ts';
export {
  addDefaultMeetingSpots,
  addMeetingSpot,
  changeMeetingSpot,
  confirmMeetingSpot,
  listForeignMeetingSpots,
  listMeetingSpots,
  listStoredMeetingSpots,
  removeForeignMeetingSpots,
  removeMeetingSpot,
} from './meeting-spots.ts';
