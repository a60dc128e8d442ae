/** Minimum time between two marks of a conversation, in milliseconds, however many messages arrive. */
const restMs = 1000;
/** Delay before a retry after a failure, in milliseconds. */
const againMs = 5000;

/** What a person sees of a thread. */
export interface Seen {
  /** The seq up to which nothing is missing. */
  seq: number;
  /** The seq of the newest message of the other party. */
  foreign: number;
  /** The page is in front of the person's eyes. */
  visible: boolean;
}

export interface ReadMarks {
  /** Call it after every change of what is seen. */
  see: (seen: Seen) => void;
  /** The thread left the screen: what was seen within the rest counts as read all the same. */
  leave: () => void;
}

/**
 * Decides when to tell the server how far a person has read.
 * @param marked the seq up to which the server knows it already
 * @param mark tells the server; a rejection is retried while the thread is on screen
 */
export const createReadMarks = (marked: number, mark: (seq: number) => Promise<void>): ReadMarks => {
  let seen: Seen | undefined;
  let restUntil = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const attempt = (): void => {
    if (!seen?.visible || seen.foreign <= marked) return;
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
    restUntil = Date.now() + restMs;
    mark(seen.seq).catch(() => {
      marked = before;
      restUntil = Date.now() + againMs;
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
      const unmarked = seen?.visible && seen.foreign > marked;
      if (seen && unmarked) mark(seen.seq).catch(() => undefined);
      seen = undefined;
    },
  };
};
