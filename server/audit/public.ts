/** What other folders may use of the audit trail. */
export { type Actor, type Audit, createAudit, type SecurityEvent } from './service.ts';
