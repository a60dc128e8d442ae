import { beforeEach } from 'vitest';

const clearStorage = (): void => {
  sessionStorage.clear();
  localStorage.clear();
};

// Test files that run in the same browser tab share its storage, which contains drafts of forms and the session.
// Modules may read it when they are loaded.
clearStorage();
beforeEach(clearStorage);
