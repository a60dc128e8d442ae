import type { Queryable } from '#server/platform/postgres/database.ts';
import { readResumeKeys } from './repository.ts';

/** Lists the files that stored applications refer to. */
export async function* listResumeFiles(sql: Queryable): AsyncGenerator<{ key: string; derived: boolean }> {
  for await (const rows of readResumeKeys(sql)) for (const { key } of rows) yield { key, derived: false };
}
