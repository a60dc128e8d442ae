import { allSuffixes, recipes } from '#server/platform/images/image-recipes.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { fileKey } from './names.ts';
import { readObjects } from './repository.ts';

const recipeOf = { 'listing-photos': recipes['listing-photo'], avatars: recipes.avatar } as const;

/** A file that belongs to a row. */
export interface FileOfRow {
  key: string;
  /** Whether it is derived; rows from before a size was introduced lack it. */
  derived: boolean;
}

/** Iterates over every file that belongs to the rows of photos and avatars. */
export async function* listPhotoFiles(sql: Queryable): AsyncGenerator<FileOfRow> {
  for await (const objects of readObjects(sql)) {
    for (const object of objects) {
      for (const suffix of allSuffixes(recipeOf[object.bucket])) {
        yield { key: fileKey(object) + suffix, derived: suffix !== '' };
      }
    }
  }
}
