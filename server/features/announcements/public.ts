/** Public API of the site-wide announcement, for pages, commands and the code that assembles the server. */
export { createAnnouncementCache } from './announcement-cache.ts';
export {
  findStoredAnnouncement,
  removeAnnouncement,
  setAnnouncement,
} from './announcements.ts';
