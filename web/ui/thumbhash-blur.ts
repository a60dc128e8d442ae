import { thumbHashToDataURL } from 'thumbhash';

/** The blurred picture of a ThumbHash (base64) as a data URL; nothing when the hash is damaged. */
export function blurOf(thumbhash: string): string | undefined {
  try {
    return thumbHashToDataURL(Uint8Array.from(atob(thumbhash), (character) => character.charCodeAt(0)));
  } catch {
    return undefined;
  }
}
