/** Lets the browser handle other tasks, such as the arrival of a response, while the clock is fake. */
export const nextTask = (): Promise<unknown> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resolve;
    port2.postMessage(undefined);
  });

/** Waits until a condition is met, without advancing a fake clock as the polling of `expect` does. */
export const waitUntil = async (isMet: () => boolean): Promise<void> => {
  while (!isMet()) await nextTask();
};
