export { deleteAccount, deleteUnconfirmedAccount } from './deletion.ts';
