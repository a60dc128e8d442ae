/** Public API of the audit trail for other features and the shell. */
export { type Actor, type Audit, createAudit, type SecurityEvent } from './service.ts';
