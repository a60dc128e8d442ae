/** Public API of the audit trail for the rest of the server. */
export { type AuditActor, type AuditTrail, createAuditTrail, type SecurityEvent } from './service.ts';
