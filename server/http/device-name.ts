import Bowser from 'bowser';

const unknownBrowser = 'Browser';
// For other browsers, the parser returns text of the User-Agent header. Its list lacks two of the browsers it detects.
const browserNames = new Set([...Object.values(Bowser.BROWSER_MAP), 'Miui', 'Opera Touch']);
const systemNames = new Set(Object.values(Bowser.OS_MAP));

/**
 * Returns the browser and the operating system that a User-Agent header names, such as "Chrome on Android". Names that
 * are not in the lists of known browsers and systems are left out, because anybody can send any header.
 */
export const getDeviceName = (userAgent: string | undefined): string => {
  if (!userAgent) return unknownBrowser;
  const { browser, os } = Bowser.parse(userAgent.slice(0, 500));
  const name = browser.name && browserNames.has(browser.name) ? browser.name : unknownBrowser;
  return os.name && systemNames.has(os.name) ? `${name} on ${os.name}` : name;
};
