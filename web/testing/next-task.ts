/** Lets the browser handle other tasks, such as the arrival of a response, while the clock is fake. */
export const nextTask = (): Promise<unknown> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resolve;
    port2.postMessage(undefined);
  });

/** Waits until the page contains a text, without advancing a fake clock as `expect.element` does. */
export const waitForText = async (text: string): Promise<void> => {
  while (!document.body.textContent?.includes(text)) await nextTask();
};
