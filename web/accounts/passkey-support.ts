/** Returns whether this browser can use passkeys on this site. They need HTTPS, and belong to a host name. */
export const supportsPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && !/^[\d.]+$|:/.test(window.location.hostname);

/** Returns whether this browser can use a passkey in an open session, which needs newer functions. */
export const supportsPasskeyProof = (): boolean =>
  supportsPasskeys() && typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function';
