/** Public API of the audit trail for the rest of the server. */
export { type Actor, type Audit, createAudit, type SecurityEvent } from './service.ts';
