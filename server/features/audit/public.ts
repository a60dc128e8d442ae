export {
  listSecurityEvents,
  noteSecurityEvent,
  type SecurityEvent,
} from './service.ts';
