/** Returns whether this browser can use passkeys on this site. They need HTTPS, and belong to a host name. */
export const supportsPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && !/^[\d.]+$|:/.test(window.location.hostname);
