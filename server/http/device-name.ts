import Bowser from 'bowser';

const unknownBrowser = 'Browser';
const maxNameLength = 100;

/**
 * Returns the browser and the operating system that a User-Agent header names, such as "Chrome on Android".
 */
export const getDeviceName = (userAgent: string | undefined): string => {
  if (!userAgent) return unknownBrowser;
  const { browser, os } = Bowser.parse(userAgent.slice(0, 500));
  const name = browser.name || unknownBrowser;
  return (os.name ? `${name} on ${os.name}` : name).slice(0, maxNameLength);
};
