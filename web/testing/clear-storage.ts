import { beforeEach } from 'vitest';

// Test files that run in the same browser tab share its storage, which contains drafts of forms.
beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
});
