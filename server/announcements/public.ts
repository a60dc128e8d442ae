/** Public API of the announcement for pages, for commands and for the code that assembles the server. */
export { createAnnouncementReader } from './reader.ts';
export { type AnnouncementAdministration, createAnnouncementAdministration } from './service.ts';
