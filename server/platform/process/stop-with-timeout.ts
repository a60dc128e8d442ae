/**
 * Stops a part of this process. Resolves after `timeoutMs` at the latest, even if the part is still stopping then, so
 * that the remaining parts can be stopped as well.
 */
export const stopWithTimeout = async (stop: () => Promise<unknown>, timeoutMs: number): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  try {
    await Promise.race([stop(), timeout]);
  } finally {
    clearTimeout(timer);
  }
};
