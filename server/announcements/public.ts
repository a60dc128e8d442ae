/** Public API of the announcement for pages, commands and the shell. */
export { createAnnouncementReader } from './reader.ts';
export { type AnnouncementAdministration, createAnnouncementAdministration } from './service.ts';
