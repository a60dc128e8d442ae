import { json } from '#server/platform/postgres/sql-json.ts';

/** Returns the JSON fields of a stored photo (Photo of contract/photos.ts) from a row of private.objects. */
export const photoFields = (table: string) => ({
  url: json.text(`${table}.url`),
  width: json.number(`${table}.width`),
  height: json.number(`${table}.height`),
  thumbhash: json.text(`${table}.thumbhash`),
});
