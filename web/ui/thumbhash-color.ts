/**
 * Returns the average color of a ThumbHash (base64), read from its first three bytes: luminance and two
 * color differences of six bits each. Unlike the full decoder, this function is small enough to be part
 * of every page.
 */
export function thumbhashToColor(thumbhash: string | null | undefined): string | undefined {
  if (!thumbhash) return undefined;
  let bytes: string;
  try {
    bytes = atob(thumbhash.slice(0, 4));
  } catch {
    return undefined;
  }
  if (bytes.length < 3) return undefined;
  const header = bytes.charCodeAt(0) | (bytes.charCodeAt(1) << 8) | (bytes.charCodeAt(2) << 16);
  const lightness = (header & 63) / 63;
  const p = ((header >> 6) & 63) / 31.5 - 1;
  const q = ((header >> 12) & 63) / 31.5 - 1;
  const blue = lightness - (2 / 3) * p;
  const red = (3 * lightness - blue + q) / 2;
  const green = red - q;
  const channels = [red, green, blue].map((value) => Math.round(Math.max(0, Math.min(1, value)) * 255));
  return `rgb(${channels.join(' ')})`;
}
