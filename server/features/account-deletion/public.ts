/** Public API of account deletion for the rest of the server. */
import type { Transaction } from '#server/platform/postgres/database.ts';

export { deleteAccount, deleteUnconfirmedAccount } from './deletion.ts';

// Legacy: remove with the last factory that takes it.
export interface AccountDeletionService {
  deleteAccount(
    userId: string,
    options?: { beforeCommit?: (tx: Transaction) => Promise<void>; mayBeLastAdministrator?: boolean },
  ): Promise<void>;
  deleteUnconfirmed(userId: string, cutoff: Date): Promise<boolean>;
}
