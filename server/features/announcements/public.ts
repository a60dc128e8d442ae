/** Public API of the site-wide announcement, for pages, commands and the code that assembles the server. */
export { createAnnouncementReader } from './reader.ts';
export {
  type AnnouncementAdministrationService,
  createAnnouncementAdministrationService,
} from './service.ts';
