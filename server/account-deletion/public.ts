/** Public API of account deletion for other features and the shell. */
export { type AccountDeletion, createAccountDeletion } from './service.ts';
