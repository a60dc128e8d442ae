/**
 * Whether this browser can get push notifications: `blocked` when the person or the system has forbidden them, and
 * `home_screen` when the site must first be added to the Home Screen, as on iPhones and iPads.
 */
export type PushSupport = 'available' | 'blocked' | 'home_screen' | 'unsupported';

// Safari on an iPad claims to run on a Mac, but no Mac has a touchscreen.
const isIphoneOrIpad = ({ userAgent, maxTouchPoints }: Navigator): boolean =>
  /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);

/** Returns whether this browser supports push notifications, or what prevents them. */
export const getPushSupport = (): PushSupport => {
  const isInstalled = (navigator as { standalone?: boolean }).standalone === true;
  if (isIphoneOrIpad(navigator) && !isInstalled) return 'home_screen';
  if (!('serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis))
    return 'unsupported';
  return Notification.permission === 'denied' ? 'blocked' : 'available';
};
