/** What other folders may use of account deletion. */
export { type AccountDeletion, createAccountDeletion } from './service.ts';
