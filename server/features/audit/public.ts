export {
  listSecurityEvents,
  noteReading,
  noteSecurityEvent,
  type SecurityEvent,
} from './service.ts';
