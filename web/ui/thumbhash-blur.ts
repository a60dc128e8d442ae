import { thumbHashToDataURL } from 'thumbhash';

/** Returns the blurred picture of a ThumbHash (base64) as a data URL, or undefined if the hash is invalid. */
export function thumbhashToDataUrl(thumbhash: string): string | undefined {
  try {
    return thumbHashToDataURL(Uint8Array.from(atob(thumbhash), (character) => character.charCodeAt(0)));
  } catch {
    return undefined;
  }
}
