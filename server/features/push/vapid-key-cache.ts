/** The key pair that identifies this server to push services (RFC 8292), in base64url. */
export interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

/** The key pair, once this process has read it. */
export interface VapidKeyCache {
  keys?: VapidKeys;
}
