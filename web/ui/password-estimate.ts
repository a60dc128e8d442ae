import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

/**
 * Estimates how hard a password is to guess, from 1 to 4, for an attacker who knows the `known` words about its owner.
 * Contains a large list of leaked passwords, so load it only where a password is chosen.
 */
export const estimateStrength = (password: string, known: string[]): 1 | 2 | 3 | 4 => {
  const words = known.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]);
  const { score } = estimator.check(
    password,
    words.filter((word) => word.length > 2),
  );
  return score === 0 ? 1 : score;
};
