/** Public API of the console for the rest of the pages; it must not import the screens, which few people load. */
export { useConsoleAccess } from './console-access.ts';
export { getConsoleTitle } from './console-sections.ts';
