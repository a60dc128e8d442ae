/**
 * The public API of the console for the other folders of web/. It must not import the console's screens:
 * other pages would then load the screens' scripts, which few people need.
 */
export { useConsoleAccess } from './console-access.ts';
export { getConsoleSectionTitle } from './console-sections.ts';
