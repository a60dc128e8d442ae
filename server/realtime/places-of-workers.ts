import type { Line } from '#server/platform/process-line.ts';
import type { CountedPlaces, Place, Places } from './places.ts';

/** What a worker asks of the process that counts for all of them; `place` is the worker's own number for it. */
export interface PlaceAnswers {
  enter(what: { place: number; address: string }): boolean;
  claim(what: { place: number; account: string }): boolean;
  leave(what: { place: number }): void;
}

/** The process that counts does nothing else of length. */
const patienceMs = 2000;

/** Answers one worker out of what is counted for all; `leaveAll` gives back what a worker held that is gone. */
export const answerPlaces = (places: CountedPlaces): PlaceAnswers & { leaveAll(): void } => {
  const held = new Map<number, ReturnType<CountedPlaces['enter']> & {}>();
  let isGone = false;
  const leave = (place: number): void => {
    held.get(place)?.leave();
    held.delete(place);
  };
  return {
    enter: ({ place, address }) => {
      // What a worker asked last may be heard after its end.
      const found = isGone ? undefined : places.enter(address);
      if (found) held.set(place, found);
      return found !== undefined;
    },
    claim: ({ place, account }) => held.get(place)?.claim(account) ?? false,
    leave: ({ place }) => leave(place),
    leaveAll: () => {
      isGone = true;
      for (const place of [...held.keys()]) leave(place);
    },
  };
};

/** Places for the sockets of a worker, counted together with those of all others by who is at the end of the line. */
export const askForPlaces = (line: Line<PlaceAnswers>): Places => {
  let taken = 0;
  return {
    enter: async (address) => {
      taken += 1;
      const place = taken;
      // Whether it is heard is nobody's concern here: who does not hear it is gone, or ends this process.
      const leave = (): void => void line.ask('leave', { place }, patienceMs).catch(() => {});
      try {
        if (!(await line.ask('enter', { place, address }, patienceMs))) return undefined;
      } catch (error) {
        // It may be granted late.
        leave();
        throw error;
      }
      const claim: Place['claim'] = (account) => line.ask('claim', { place, account }, patienceMs);
      return { claim, leave };
    },
  };
};
