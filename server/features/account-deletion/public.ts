/** Public API of account deletion for the rest of the server. */
export { type AccountDeletionService, createAccountDeletion } from './service.ts';
