import type { Queryable } from '#server/platform/postgres/database.ts';
import { readResumeKeys } from './repository.ts';

/** The files that stored applications stand for. */
export async function* listResumeFiles(sql: Queryable): AsyncGenerator<{ key: string; derived: boolean }> {
  for await (const rows of readResumeKeys(sql)) for (const { key } of rows) yield { key, derived: false };
}
