export { createAnnouncementCache } from './announcement-cache.ts';
export {
  findStoredAnnouncement,
  removeAnnouncement,
  setAnnouncement,
} from './announcements.ts';
