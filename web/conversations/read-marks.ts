/** Minimum interval between two requests that mark a conversation as read, in milliseconds. */
const minMarkIntervalMs = 1000;
/** Delay before a retry after a failure, in milliseconds. */
const retryDelayMs = 5000;

/** How much of a thread is loaded, and whether the person can see it. */
export interface ReadProgress {
  /** The highest seq up to which all messages are loaded; 0 until they are. */
  seq: number;
  /** The seq of the newest message from the other party. */
  foreign: number;
  visible: boolean;
}

export interface ReadMarkTracker {
  /** Must be called after every change of `ReadProgress`. */
  see: (seen: ReadProgress) => void;
  /**
   * Must be called when the thread leaves the screen. Immediately marks messages seen since the
   * last request as read.
   */
  leave: () => void;
}

/**
 * Creates a tracker that reports to the server how far a person has read, at most once per second.
 * @param marked the seq up to which the server already considers the conversation read; -1 if it is unread, also without
 * messages from the other party
 * @param mark sends the seq to the server; a rejected call is retried while the thread is on screen
 */
export const createReadMarkTracker = (
  marked: number,
  mark: (seq: number) => Promise<void>,
): ReadMarkTracker => {
  let seen: ReadProgress | undefined;
  let restUntil = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const isUnmarked = ({ seq, foreign, visible }: ReadProgress): boolean =>
    visible && seq > 0 && foreign > marked;

  const attempt = (): void => {
    if (!seen || !isUnmarked(seen)) return;
    const wait = restUntil - Date.now();
    if (wait > 0) {
      timer ??= setTimeout(() => {
        timer = undefined;
        attempt();
      }, wait);
      return;
    }
    const before = marked;
    marked = seen.seq;
    restUntil = Date.now() + minMarkIntervalMs;
    mark(seen.seq).catch(() => {
      marked = before;
      restUntil = Date.now() + retryDelayMs;
      attempt();
    });
  };

  return {
    see: (next) => {
      seen = next;
      attempt();
    },
    leave: () => {
      clearTimeout(timer);
      timer = undefined;
      if (seen && isUnmarked(seen)) mark(seen.seq).catch(() => undefined);
      seen = undefined;
    },
  };
};
