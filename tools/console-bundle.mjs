import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const consolePrefix = 'console-';
const consoleRoute = 'routes/moderation';
const scriptNamePattern = /[\w.-]+\.js/g;

const toFileName = (path) => path.slice(path.lastIndexOf('/') + 1);

/**
 * Returns one sentence per problem with the moderation console's scripts in a build. It is a problem if a
 * page other than the console loads such a script. It is also a problem if the file name of such a script
 * lacks the console's prefix, because the service worker would then load it for everybody.
 */
export const listConsoleBundleProblems = (clientFolder, { entry, routes }) => {
  const folder = join(clientFolder, 'assets');
  const names = readdirSync(folder).filter((name) => name.endsWith('.js') && !name.startsWith('manifest-'));
  const isConsoleScript = (name) => name.startsWith(consolePrefix);
  const listMentioned = (name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    return [...new Set(text.match(scriptNamePattern) ?? [])].filter((it) => names.includes(it));
  };
  const leaks = [];

  const otherRoutes = Object.values(routes).filter(({ id }) => id !== consoleRoute);
  const otherModules = [entry, ...otherRoutes].flatMap(({ module, imports = [] }) => [module, ...imports]);
  const reached = new Set(otherModules.map(toFileName));
  for (const name of reached) {
    if (isConsoleScript(name)) leaks.push(`${name} belongs to the console, but another page loads it`);
    // A Set may grow while it is iterated; the loop then also visits the new names.
    else for (const mentioned of listMentioned(name)) reached.add(mentioned);
  }
  for (const name of names) {
    if (!isConsoleScript(name) && !reached.has(name))
      leaks.push(`Only the console uses ${name}: name it so in vite.config.ts`);
  }
  if (!names.some(isConsoleScript)) leaks.push('The build has no scripts of the console');
  return leaks;
};
