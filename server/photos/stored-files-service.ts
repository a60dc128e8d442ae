import { allSuffixes, recipes } from '#server/platform/images/image-recipes.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { fileKey } from './names.ts';
import { readObjects } from './repository.ts';

const recipeOf = { 'listing-photos': recipes['listing-photo'], avatars: recipes.avatar } as const;

/** A file that belongs to a row. */
export interface FileOfRow {
  key: string;
  /** Made from another one: a row from before this size was invented is whole without it. */
  derived: boolean;
}

/** Every file that the rows of photos and avatars stand for. */
export async function* listPhotoFiles(sql: Queryable): AsyncGenerator<FileOfRow> {
  for await (const objects of readObjects(sql)) {
    for (const object of objects) {
      for (const suffix of allSuffixes(recipeOf[object.bucket])) {
        yield { key: fileKey(object) + suffix, derived: suffix !== '' };
      }
    }
  }
}
