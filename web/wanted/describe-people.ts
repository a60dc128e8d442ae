/** Says how many people look for something, as in "3 people are looking for this". */
export const describePeople = (people: number): string =>
  people === 1 ? '1 person is looking for this' : `${people} people are looking for this`;
