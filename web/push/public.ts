/** The public API of push notifications for other features and the shell. */
export { MessagePushPrompt } from './message-push-prompt.tsx';
export { useHasPushDevice } from './push-devices.ts';
export { canShowPushPrompt, showPushPrompt } from './push-prompt.ts';
export { PushPromptDialog } from './push-prompt-dialog.tsx';
export { usePushUpdates } from './use-push-updates.ts';
