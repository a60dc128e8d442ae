/** Public API of the audit trail for the rest of the server. */
export {
  listSecurityEvents,
  noteSecurityEvent,
  type SecurityEvent,
} from './service.ts';
