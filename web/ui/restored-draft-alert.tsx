import { Alert } from './alert.tsx';

/** Says that an edited form shows changes that were typed earlier. The form's Cancel must discard them. */
export const RestoredDraftAlert = () => (
  <Alert title="Your unsaved changes are back">Save them, or press Cancel to discard them.</Alert>
);
