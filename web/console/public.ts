/**
 * The public API of the console for the other folders of web/. It must not import the console's screens,
 * because few people need their scripts.
 */
export { useConsoleAccess } from './console-access.ts';
export { getConsoleTitle } from './console-sections.ts';
