import type { Sql } from '#server/platform/database.ts';
import { listReports, type ReportRow } from './repository.ts';

/** The newest reports that people sent, newest first, for administrators. */
export const listNewestReports = (sql: Sql, limit: number): Promise<ReportRow[]> => listReports(sql, limit);
