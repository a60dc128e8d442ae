import type { ConsoleRole } from '../../contract/console.ts';
import { updateTestDatabase } from './database.ts';
import type { QuadServer } from './quad-server.ts';

/**
 * Gives a person a role in the console. With `secondFactor`, all sessions of this person count as confirmed
 * with a second factor. Tests in e2e/accounts cover a real log-in with a second factor.
 */
export const grantRole = (
  quad: QuadServer,
  { id }: { id: string },
  role: ConsoleRole,
  { secondFactor = true } = {},
): Promise<void> =>
  updateTestDatabase(quad, async (sql) => {
    await sql`UPDATE private.credentials SET console_role = ${role} WHERE user_id = ${id}`;
    if (secondFactor)
      await sql`UPDATE private.sessions SET second_factor_at = created_at WHERE user_id = ${id}`;
  });
