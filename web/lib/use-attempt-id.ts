import { useRef } from 'react';
import { createUuid } from './uuid.ts';

/**
 * Returns functions for the client id under which a form is sent. The server may have stored the form although its
 * response was lost, so the same content keeps its id until `endAttempt` is called, and changed content gets another id.
 */
export const useAttemptId = () => {
  const last = useRef<{ id: string; content: string }>(undefined);
  return {
    getAttemptId: (content: string): string => {
      if (last.current?.content !== content) last.current = { id: createUuid(), content };
      return last.current.id;
    },
    endAttempt: (): void => {
      last.current = undefined;
    },
  };
};
