import { columnJson } from '#server/platform/postgres/sql-json.ts';

/** Returns the JSON fields of a stored photo (Photo of contract/photos.ts) from a row of private.objects. */
export const buildPhotoJsonFields = (table: string) => ({
  url: columnJson.text(`${table}.url`),
  width: columnJson.number(`${table}.width`),
  height: columnJson.number(`${table}.height`),
  thumbhash: columnJson.text(`${table}.thumbhash`),
});
