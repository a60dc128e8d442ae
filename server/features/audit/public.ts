/** Public API of the audit trail for the rest of the server. */
export {
  type AuditTrail,
  createAuditTrail,
  listSecurityEvents,
  noteSecurityEvent,
  type SecurityEvent,
} from './service.ts';
